"""Requests of the user to window, view and files. Requests to the simulation are in `simulation_intents`.

Other modules import all of them from here.
"""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from .simulation_intents import (  # noqa: F401
    FLAG_FIELDS,
    Change,
    ClearControls,
    CopyState,
    Examine,
    FillHistory,
    Follow,
    Intent,
    LoadKey,
    LoggedIntent,
    Perturb,
    Recompute,
    Reset,
    ResetJoint,
    Restore,
    SaveFile,
    SaveKey,
    Scrub,
    ScrubTime,
    SetBit,
    SetField,
    SetLoop,
    SetNoise,
    SetRunning,
    SetSpeed,
    SimIntent,
    Step,
    Together,
    entering,
)

# --- window, view, loading ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OpenFile(Intent):
    """Load a model, or show a motion (see MOTIONS); an empty path opens the file dialog."""

    path: str = ""


# Suffixes of files that contain a motion of the current model.
MOTIONS: tuple[str, ...] = (".npz", ".csv")


@dataclass(frozen=True)
class Choose(Intent):
    """Let the user choose one of the models in a folder or archive. `found`: rows of `Found` of the importer."""

    path: str
    found: tuple[Any, ...]


@dataclass(frozen=True)
class SetImport(Intent):
    """Replace the options of an imported file, and import it again. See app.robots.OPTIONS for their names."""

    path: str
    options: dict[str, Any]


@dataclass(frozen=True)
class LoadMotion(Intent):
    """Show a recorded motion beside the simulation; an empty path shows the keyframes."""

    path: str = ""


@dataclass(frozen=True)
class KeepPast(SimIntent):
    """Show the recorded states as a motion, to compare them with the states that follow."""


@dataclass(frozen=True)
class SetGhost(Intent):
    """Change how a motion is shown: set a field of app.ghosts.Ghost."""

    index: int
    name: str
    value: Any


@dataclass(frozen=True)
class RemoveGhost(Intent):
    """Remove a motion."""

    index: int


@dataclass(frozen=True)
class TakePose(Intent):
    """Put the running model into the current pose of a motion."""

    index: int


@dataclass(frozen=True)
class Reload(Intent):
    """Compile the current file again; `keep_state` transfers the motion by element name."""

    keep_state: bool = False


@dataclass(frozen=True)
class CancelLoad(Intent):
    """Give up the model that is being loaded; the current one stays."""


@dataclass(frozen=True)
class SetCompat(Intent):
    """Select the release whose changed behaviour applies to models from now on, and compile the current file again."""

    version: str


@dataclass(frozen=True)
class Dismiss(Intent):
    """Close the message about a model that did not load. Reload then refers to the displayed model again."""


@dataclass(frozen=True)
class Trust(Intent):
    """Trust the folder of the model that was refused, so that its models may read files outside the folder; then load the
    model."""


@dataclass(frozen=True)
class SetSetting(Intent):
    """Set a row in the table of settings; None toggles a boolean."""

    name: str
    value: Any = None


@dataclass(frozen=True)
class ShowPanel(Intent):
    """Open a panel (None toggles). `only` first closes the other sections on its side; `reveal` also brings it into view, and
    scrolls to one of its rows if `row` names one.
    """

    name: str
    value: bool | None = None
    only: bool = False
    reveal: bool = True
    row: str = ""


@dataclass(frozen=True)
class DetachPanel(Intent):
    """Move a section to a separate window, or back to its column."""

    name: str


@dataclass(frozen=True)
class Arrange(Intent):
    """Arrange all windows by a preset of `ui.layout`, or by a layout that was saved under a name."""

    name: str


@dataclass(frozen=True)
class PutLayout(Intent):
    """Arrange windows by a layout that `KeepLayout` saved."""

    row: dict = field(default_factory=dict)


@dataclass(frozen=True)
class KeepLayout(Intent):
    """Save the current arrangement of windows under a name; with `forget`, remove that layout instead."""

    name: str
    forget: bool = False


@dataclass(frozen=True)
class SetPlots(Intent):
    """Set what is plotted: rows of `ui.plotting.Plot`."""

    plots: tuple = ()


@dataclass(frozen=True)
class ExportPlots(Intent):
    """Save plots. `kind`: csv (all samples) or png (`area` of the window: x, y, width, height). An empty path means an unused
    name in the working directory.
    """

    kind: str
    path: str = ""
    area: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class SetVisFlag(Intent):
    index: int
    value: bool | None = None


@dataclass(frozen=True)
class SetRenderFlag(Intent):
    index: int
    value: bool | None = None


@dataclass(frozen=True)
class SetGroup(Intent):
    """Show or hide a group. `kind`: geom, site, joint, tendon, actuator, flex, skin."""

    kind: str
    index: int
    value: bool | None = None


@dataclass(frozen=True)
class SetViewOption(Intent):
    """Set a visual option that is a number: label, frame, bvh_depth, flex_layer. `cycle` adds one and wraps around at this
    value."""

    name: str
    value: int = 0
    cycle: int = 0


@dataclass(frozen=True)
class DefaultFlags(Intent):
    """Reset flags, groups, labels and frames to their values in a new window."""


@dataclass(frozen=True)
class PutFlags(Intent):
    """Set all flags at once, from an app.flags.Flags."""

    flags: Any


@dataclass(frozen=True)
class KeepFlags(Intent):
    """Let new windows start with the current flags, or with the defaults again."""

    keep: bool = True


@dataclass(frozen=True)
class DefaultView(Intent):
    """Set the model's initial camera."""


@dataclass(frozen=True)
class SetCamera(Intent):
    """Select a camera: 0 free, 1 tracking, 2.. model cameras. `step` goes to the next or previous model camera instead."""

    index: int = 0
    step: int = 0


@dataclass(frozen=True)
class Align(Intent):
    pass


# Fields of MjvCamera that an intent may set.
CAMERA_FIELDS = ("type", "fixedcamid", "trackbodyid", "lookat", "distance", "azimuth", "elevation", "orthographic")


@dataclass(frozen=True)
class PlaceCamera(Intent):
    """Set fields of the camera."""

    values: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Frame(Intent):
    """Fit the selection in the view, or everything except the ground."""

    everything: bool = False


@dataclass(frozen=True)
class RestoreLooks(Intent):
    """Set which elements are hidden or faded: {kind: modes}."""

    modes: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Undo(Intent):
    """Undo the last action or, with `redo`, redo the action that was undone last. `count`: number of actions. `scope`: only
    actions on the source (edit), on the state (simulation), or on view and window (view).
    """

    redo: bool = False
    count: int = 1
    scope: str = ""


@dataclass(frozen=True)
class AddKey(Intent):
    """Write the state on screen into the source as a new keyframe."""


@dataclass(frozen=True)
class WriteSource(Intent):
    """Write values that were changed in the running model into its source: the values of an element, of a section (`option`,
    `visual`, `statistic`), or all.
    """

    kind: str = ""
    index: int = -1


@dataclass(frozen=True)
class AddCamera(Intent):
    """Write the view's camera into the source as a new camera."""


@dataclass(frozen=True)
class CopyCamera(Intent):
    pass


@dataclass(frozen=True)
class SelectBody(Intent):
    """Select a body; -1 selects the parent of the selected one."""

    body: int


@dataclass(frozen=True)
class SelectElement(Intent):
    """Select any element by kind and id, and its body if it has one. `reveal` brings its row in a panel into
    view; `toggle` adds it to the selected elements, or removes it.
    """

    kind: str
    index: int
    reveal: bool = False
    toggle: bool = False


@dataclass(frozen=True)
class SetLook(Intent):
    """Hide or fade elements. `mode`: show, ghost, hide, only (hide all others), focus (fade all others). Without a `kind`, this
    applies to the selection.

    `subtree` includes the bodies below a body. The modes collision, visual and clear concern all geoms.
    """

    mode: str
    kind: str = ""
    index: int = 0
    subtree: bool = False


@dataclass(frozen=True)
class CopyText(Intent):
    text: str


@dataclass(frozen=True)
class Fullscreen(Intent):
    pass


@dataclass(frozen=True)
class Screenshot(Intent):
    path: str = ""


@dataclass(frozen=True)
class Record(Intent):
    """Start or end a film of the window (None toggles). An empty path means an unused name in the folder from the settings."""

    value: bool | None = None
    path: str = ""


@dataclass(frozen=True)
class PlayPast(Intent):
    """Play the recorded states of the marked range: `rate` 1 forwards, -1 backwards. A second request stops playback. With
    `film`, play the range once and record it as a film.
    """

    rate: float = 1.0
    film: bool = False


@dataclass(frozen=True)
class PutOnTimeline(Intent):
    """Replace the recorded states on the timeline by a motion."""

    index: int


@dataclass(frozen=True)
class Bookmark(Intent):
    """Bookmark the time on screen, or remove the bookmark there. `step`: go to the next (1) or previous (-1) one."""

    step: int = 0


@dataclass(frozen=True)
class OpenEditor(Intent):
    """Open a source file in the user's own editor."""

    path: str
    line: int = 0


@dataclass(frozen=True)
class SaveText(Intent):
    """Replace the contents of a file."""

    path: str
    data: bytes


@dataclass(frozen=True)
class SaveSources(Intent):
    """Save all edited files, or only the file `path`."""

    path: str = ""


@dataclass(frozen=True)
class SaveAs(Intent):
    """Write the text of the model's main file to another file, and open that one; an empty path opens the file dialog."""

    path: str = ""


@dataclass(frozen=True)
class PatchText(Intent):
    """Replace parts of a file that must have a given size and checksum (`zlib.crc32`). Each part is (byte, old bytes, new
    bytes).
    """

    path: str
    patches: tuple[tuple[int, bytes, bytes], ...]
    size: int
    checksum: int


@dataclass(frozen=True)
class OfSelection(Intent):
    """Copy, paste, duplicate or delete the selected elements."""

    what: str


@dataclass(frozen=True)
class ElementIntent(Intent):
    """An edit of the source text of an element of the displayed model. `also`: further elements to which the edit applies."""

    kind: str
    index: int
    also: tuple[tuple[str, int], ...] = field(default=(), kw_only=True)

    @property
    def targets(self) -> tuple[tuple[str, int], ...]:
        """All elements, as (kind, index)."""
        return ((self.kind, self.index), *self.also)


@dataclass(frozen=True)
class EditElement(ElementIntent):
    """Set attributes, whose values are given as text; None removes one. `shared`: edit the default class from which the element
    takes them."""

    values: tuple[tuple[str, str | None], ...]
    shared: bool = False


@dataclass(frozen=True)
class MoveElement(ElementIntent):
    """Move an element by a rigid motion (position and quaternion) in the coordinates of its body or, for a body, its parent."""

    pos: tuple[float, ...]
    quat: tuple[float, ...]


@dataclass(frozen=True)
class ScaleElement(ElementIntent):
    """Scale an element along its own axes."""

    factors: tuple[float, ...]


@dataclass(frozen=True)
class AddElement(ElementIntent):
    """Add an element to a body."""

    tag: str
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class DeleteElement(ElementIntent):
    """Delete an element with all its contents."""


@dataclass(frozen=True)
class DuplicateElement(ElementIntent):
    """Insert copies of elements after the originals, with new names."""


@dataclass(frozen=True)
class PasteElements(ElementIntent):
    """Add the elements of a text (see `rewrite.snippet`) to the body of an element, and others to their sections."""

    text: str


@dataclass(frozen=True)
class ShapeGeoms(ElementIntent):
    """Let a fitted box, cylinder or capsule, or convex pieces, collide in place of mesh geoms. `how`: a word of
    engine.description.robots.fitting.WAYS.
    """

    how: str


@dataclass(frozen=True)
class StopShaping(Intent):
    """End the computation of collision shapes."""


@dataclass(frozen=True)
class Exclude(Intent):
    """Turn off the collisions of pairs of bodies, given by name."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class MoveInto(ElementIntent):
    """Move an element into another body. It keeps its pose in the world."""

    body: int


@dataclass(frozen=True)
class Rebind(Intent):
    """Give an action another chord; an empty chord removes it, None restores the default."""

    action: str
    chord: str | None


@dataclass(frozen=True)
class Quit(Intent):
    """Close the window. `ask`: first ask the user about unsaved changes."""

    ask: bool = True


@dataclass(frozen=True)
class Leave(Intent):
    """Answer the pending question about unsaved changes; see `ui.leaving.ANSWERS`."""

    answer: str


# --- undo ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """An action that can be undone. `back` and `again` are complete intents that never toggle. Entries with the same `key` are
    merged.
    """

    title: str
    back: tuple[Intent, ...]
    again: tuple[Intent, ...]
    key: Hashable = None
    at: float = field(default_factory=time.perf_counter)
