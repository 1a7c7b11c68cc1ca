"""The user interface over the 3D view: panels, plots, overlays. It reads a model and a copy of Data, and emits intents.

    context --> panels.draw_all --> panel/*.draw(ctx) --> widgets --> ctx.emit(intent)
                     |
                  layout (dock space, free rectangle for the 3D view)

intents.py   requests of the user                            context.py   what a panel receives
shown.py     types of the window's parts, as panels know them
timeline.py  transport, recorded states, marks               rail.py      columns of narrow windows
simulation_intents.py   requests to the simulation
fallback.py  system fonts for other writing systems
theme.py     colours, fonts, sizes                           layout.py    dock space and its central rectangle
widgets.py   rows, filters, number fields   sliders.py   sliders            telemetry.py  profiler samples
plots.py     figures
panels.py    the table of panels; only it begins windows     panel/       one file for each panel
start.py     start page and hints        arithmetic.py expressions in number fields
axes.py      axes of the view                                grid.py      ground grid with unit
scope.py     lists limited to the selection                  showmenu.py  menus for the contents of the view
toolbar.py   top bar with menus                              statusbar.py bottom bar             overlay.py   text over the view
plotting.py  channels of plots, and the menu that adds them  viewmenu.py  menu of a right click in the 3D view
gizmo.py     handles that move, turn and scale the selection
limits.py    limits of the selected joints over the view     demos.py     style editor, demos of ImGui and ImPlot
hover.py     tooltip for the object under a resting mouse    labels.py    texts in the view
search.py    palette of commands, elements and fields        xml_colors.py  colours of XML in the code editor
board.py     additions of scripts and plugin files           script_panels.py  their windows    chords.py    names of keys
shapes.py    shapes that they add to the scene
icons.py     code points of the icon font                    splash.py    shown while the engine is imported
examples.py  the table of included models                    gallery.py   their pictures
markdown.py  Markdown as blocks                              page.py      layout and drawing of a page
health.py    likely problems of a model                      release.py   differences under another release
chooser.py   the models of a folder or archive               tips.py      what commands, flags and panels do
computing.py a box while collision shapes are computed
trusting.py  the question whether a model may read other folders
letters.py   texts that can be displayed
leaving.py   questions about unsaved texts     merge.py  merging of texts     slider_keys.py  the keyboard on sliders
live.py      the button Write to source     playback.py  playing of recorded states
touch.py     contacts and constraint rows as arrays; reasons why two geoms collide or not

A panel holds no state of the simulation. It reads the values that it shows in every frame, and requests changes by intents.
"""
