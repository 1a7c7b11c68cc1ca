"""Simulations in browsers, through viser.

    serve.py    the server and its thread        gate.py     who may connect, and who may act
    listen.py   socket, connections, bounds      wire.py     which messages are well-formed
    stage.py    the scene: draw list -> nodes    shapes.py   triangles and textures        lights.py   lights
    panel.py    controls, plots                  hands.py    selection and pulls           player.py   trajectories

A picture is the draw list of the window's renderer: all instances of a shape are one node, whose poses, sizes and colours are
arrays that go out in one message when they changed. Whatever a person asks for is an intent for the host that steps, and
whatever a thread of viser hears is done by the serving thread.
"""
