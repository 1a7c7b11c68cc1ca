"""Simulations in browsers, through viser.

    serve.py    the server and its thread           gate.py    who may connect, and who may control
    listen.py   socket, connections, limits         wire.py    which messages are well-formed
    stage.py    the scene: draw list -> nodes    shapes.py   triangles and textures        lights.py   lights
    sky.py      the sky as a sphere              tone.py     how browsers turn light into colors
    panel.py    controls, plots                     hands.py   selection and pulls              player.py   trajectories

A picture is the draw list of the window's renderer. All instances of a shape are one node, whose poses, sizes and colours are
arrays, sent in one message when they change. Users' requests become intents for the host. Callbacks, which viser calls in its
own threads, pass their work to the serving thread.
"""
