"""What the person sees over the 3D view: panels, plots, overlays. Reads a model and a copy of Data, emits intents.

    context --> panels.draw_all --> panel/*.draw(ctx) --> widgets --> ctx.emit(intent)
                     |
                  layout (dock space, free rectangle for the 3D view)

intents.py   what may be asked for          context.py   what a panel sees
timeline.py  transport, kept states, marks  rail.py      columns of narrow windows
simulation_intents.py   what may be asked of the simulation
theme.py     colours, fonts, sizes          layout.py    dock space and its central rectangle
widgets.py   rows, filters, number fields   plots.py     figures            telemetry.py  profiler samples
panels.py    THE table of panels and the only Begin/End              panel/   one file a panel
start.py     start page and hints        arithmetic.py expressions in number fields
axes.py      axis gizmo                  grid.py      ground grid with unit
scope.py     lists of the selection     showmenu.py  menus of what is shown
toolbar.py   top bar with menus             statusbar.py bottom bar         overlay.py    text over the 3D view
plotting.py  what is plotted, and the menu of any number                viewmenu.py  what a right click in the 3D view opens
gizmo.py     handles that move, turn and scale what is selected
hover.py     what is said of what the mouse rests on            labels.py    texts in the view
search.py    palette over commands, elements and fields     xml_colors.py  colours of XML in the code editor
board.py     what a script puts into a viewer             script_panels.py  its windows      chords.py  names of keys
icons.py     code points of the icon font   splash.py    before the engine is there
examples.py  THE table of models that come along            gallery.py    them as pictures
markdown.py  Markdown as blocks             page.py      a page of them, laid out and drawn
health.py    what is likely to make trouble  release.py   what another release would do otherwise
leaving.py   the question about texts that are not saved     slider_keys.py  the keyboard on sliders
touch.py     contacts and constraint rows as arrays; why two geoms collide or not

A panel holds no state of the simulation: what it shows is read every frame, what it changes leaves as an intent.
"""
