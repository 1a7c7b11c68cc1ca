"""What a person can ask for: requests to window, view and files here, those to the simulation in `simulation_intents`.

Everybody else imports all of them from here.
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
    """Load a model, or show a motion (MOTIONS); an empty path opens the file dialog."""

    path: str = ""


# kinds of files that hold a motion of the model on screen
MOTIONS: tuple[str, ...] = (".npz", ".csv")


@dataclass(frozen=True)
class LoadMotion(Intent):
    """Show a recorded motion beside the simulation; an empty path: the key frames."""

    path: str = ""


@dataclass(frozen=True)
class KeepPast(SimIntent):
    """Show what happened until now beside what will happen."""


@dataclass(frozen=True)
class SetGhost(Intent):
    """Change how a motion is shown: a field of app.ghosts.Ghost."""

    index: int
    name: str
    value: Any


@dataclass(frozen=True)
class RemoveGhost(Intent):
    """Show a motion no more."""

    index: int


@dataclass(frozen=True)
class TakePose(Intent):
    """Put the model into the pose that a motion has now."""

    index: int


@dataclass(frozen=True)
class Reload(Intent):
    """Compile the current file again; `keep_state` carries the motion over by element name."""

    keep_state: bool = False


@dataclass(frozen=True)
class SetCompat(Intent):
    """The release whose silent changes hold for models from now on; the current file is compiled again with it."""

    version: str


@dataclass(frozen=True)
class Dismiss(Intent):
    """Put the message of a model that did not load away; a reload is of the model on screen again."""


@dataclass(frozen=True)
class Trust(Intent):
    """Load the model that was refused: models of its folder may read files elsewhere from now on."""


@dataclass(frozen=True)
class SetSetting(Intent):
    """A row of the settings table; value None toggles a boolean."""

    name: str
    value: Any = None


@dataclass(frozen=True)
class ShowPanel(Intent):
    """Open a panel (None toggles). `only` closes the other sections of its side first; `reveal` brings it into view, too."""

    name: str
    value: bool | None = None
    only: bool = False
    reveal: bool = True


@dataclass(frozen=True)
class DetachPanel(Intent):
    """Give a section its own window, or put it back."""

    name: str


@dataclass(frozen=True)
class Arrange(Intent):
    """Arrange all windows anew, by a preset of `ui.layout` or a layout that was kept under a name."""

    name: str


@dataclass(frozen=True)
class PutLayout(Intent):
    """Windows where a layout has them, as `KeepLayout` keeps it."""

    row: dict = field(default_factory=dict)


@dataclass(frozen=True)
class KeepLayout(Intent):
    """Keep the arrangement of now under a name; `forget` drops it instead."""

    name: str
    forget: bool = False


@dataclass(frozen=True)
class SetPlots(Intent):
    """What is plotted: rows of `ui.plotting.Plot`."""

    plots: tuple = ()


@dataclass(frozen=True)
class ExportPlots(Intent):
    """`kind`: csv (all samples) or png (`area` of the window: x, y, width, height). An empty path means a free name in the
    working directory.
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
    """`kind`: geom, site, joint, tendon, actuator, flex, skin."""

    kind: str
    index: int
    value: bool | None = None


@dataclass(frozen=True)
class SetViewOption(Intent):
    """A scalar of the visual options: label, frame, bvh_depth, flex_layer. `cycle` moves by one, wrapping at it."""

    name: str
    value: int = 0
    cycle: int = 0


@dataclass(frozen=True)
class DefaultFlags(Intent):
    """Flags, groups, labels and frames as a new window has them."""


@dataclass(frozen=True)
class PutFlags(Intent):
    """All flags at once: an app.flags.Flags."""

    flags: Any


@dataclass(frozen=True)
class KeepFlags(Intent):
    """Start new windows with the flags of now, or with the default ones again."""

    keep: bool = True


@dataclass(frozen=True)
class DefaultView(Intent):
    """The camera that the model begins with."""


@dataclass(frozen=True)
class SetCamera(Intent):
    """0 free, 1 tracking, 2.. model cameras; `step` walks the model cameras instead."""

    index: int = 0
    step: int = 0


@dataclass(frozen=True)
class Align(Intent):
    pass


# fields of MjvCamera that an intent may set
CAMERA_FIELDS = ("type", "fixedcamid", "trackbodyid", "lookat", "distance", "azimuth", "elevation", "orthographic")


@dataclass(frozen=True)
class PlaceCamera(Intent):
    """Values of the camera's fields."""

    values: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Frame(Intent):
    """Let what is selected, or all that is no ground, fill the view."""

    everything: bool = False


@dataclass(frozen=True)
class RestoreLooks(Intent):
    """What is hidden and faded: modes by kind."""

    modes: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Undo(Intent):
    """Take the last thing back; `redo` does what was taken back again. `count`: how many of them. `scope`: only what was done
    there: to the source (edit), to the state (simulation), or to view and window (view).
    """

    redo: bool = False
    count: int = 1
    scope: str = ""


@dataclass(frozen=True)
class AddKey(Intent):
    """Write the state on screen into the source as a new keyframe."""


@dataclass(frozen=True)
class CopyCamera(Intent):
    pass


@dataclass(frozen=True)
class SelectBody(Intent):
    """`body` -1 selects the parent of the selected one."""

    body: int


@dataclass(frozen=True)
class SelectElement(Intent):
    """Select any element, by kind and id; its body, if it has one, is selected too. `reveal` brings its row in a panel into
    view.
    """

    kind: str
    index: int
    reveal: bool = False


@dataclass(frozen=True)
class SetLook(Intent):
    """`mode`: show, ghost, hide, only (hide all others), focus (fade all others). Empty `kind`: the selected element.

    `subtree` takes the bodies below a body along. Modes collision, visual and clear concern all geoms.
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
    """Begin or end a film of the window (None: the other one); an empty path means a free name in the settings' folder."""

    value: bool | None = None
    path: str = ""


@dataclass(frozen=True)
class OpenEditor(Intent):
    """Open a source file in the person's own editor."""

    path: str
    line: int = 0


@dataclass(frozen=True)
class SaveText(Intent):
    """Replace what a file holds."""

    path: str
    data: bytes


@dataclass(frozen=True)
class SaveSources(Intent):
    """Save all texts that were edited."""


@dataclass(frozen=True)
class PatchText(Intent):
    """Replace parts of a file that holds a text of this size and checksum (`zlib.crc32`): (byte, what stands there, what comes
    in its place) ...
    """

    path: str
    patches: tuple[tuple[int, bytes, bytes], ...]
    size: int
    checksum: int


@dataclass(frozen=True)
class ElementIntent(Intent):
    """An edit of the text that an element of the model on screen comes from."""

    kind: str
    index: int


@dataclass(frozen=True)
class EditElement(ElementIntent):
    """Give attributes texts; None takes one away. `shared`: of the default class that the element takes them from."""

    values: tuple[tuple[str, str | None], ...]
    shared: bool = False


@dataclass(frozen=True)
class MoveElement(ElementIntent):
    """Move by a rigid motion in coordinates of its body, or of the parent of a body: position and quaternion."""

    pos: tuple[float, ...]
    quat: tuple[float, ...]


@dataclass(frozen=True)
class ScaleElement(ElementIntent):
    """Scale along its own axes."""

    factors: tuple[float, ...]


@dataclass(frozen=True)
class AddElement(ElementIntent):
    """A new element in a body."""

    tag: str
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class DeleteElement(ElementIntent):
    """Take an element out, with all that is in it."""


@dataclass(frozen=True)
class Rebind(Intent):
    """Give an action another chord; an empty chord takes it away, None restores the default."""

    action: str
    chord: str | None


@dataclass(frozen=True)
class Quit(Intent):
    """Close the window; `ask` about texts that are not saved."""

    ask: bool = True


@dataclass(frozen=True)
class Leave(Intent):
    """The answer about texts that something would leave behind unsaved: save, discard or cancel."""

    answer: str


# --- taking back ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """One thing that was done. `back` and `again` say everything that they need: they never toggle. Entries of one
    `key` merge.
    """

    title: str
    back: tuple[Intent, ...]
    again: tuple[Intent, ...]
    key: Hashable = None
    at: float = field(default_factory=time.perf_counter)
