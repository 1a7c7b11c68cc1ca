"""Constraints as rows of one list: what each row constrains, how softly, and with what force. Reads poses, writes efc_ fields.

make           the order of rows; friction loss and limits of joints
equality, tendon, contact, flex   the other rows
append_rows    how rows are appended: memory, addresses, common columns
impedance      stiffness, damping, regularization
implicit_rows  regularization for the integrator `discrete`
reference      row velocities and desired accelerations; rate, surface, adhesive add to them
project, exact the rows' inverse inertia, and its exact diagonal
products       products with the Jacobian for the programming interface
update         states, forces and cost at an acceleration
island, sleep  connected trees; trees at rest
"""
