"""Constraints as rows of one list: what they constrain, how softly, and with which force. Reads poses, writes efc_ fields.

make           the order of rows; friction loss and limits of joints
equality, tendon, contact, flex   the other rows
rows           appending rows: room, addresses, common columns
impedance      stiffness, damping, regularization
implicit_rows  the same for the integrator `discrete`
reference      row velocities and desired accelerations; rate, surface, adhesive add to them
project, exact the rows' inverse inertia, and its exact diagonal
products       products with the Jacobian for the programming interface
update         states, forces and cost at an acceleration
island, sleep  connected trees; trees at rest
"""
