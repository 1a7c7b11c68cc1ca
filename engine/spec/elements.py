"""The classes of all elements: kinematic tree, assets and everything that refers to them."""

from . import shortcuts
from .element import Element
from .errors import SpecError


class InBody(Element):
    """An element of a body, possibly inside a frame."""

    __slots__ = ('parent', 'frame')

    def __init__(self, spec, default=None, name=''):
        super().__init__(spec, default, name)
        self.parent = None
        self.frame = None

    def copy_to(self, spec):
        new = super().copy_to(spec)
        new.parent, new.frame = self.parent, self.frame
        return new

    def set_frame(self, frame):
        """Put this element into a frame of its own body."""
        if frame is not None and frame.parent is not self.parent:
            raise ValueError('a frame and the element in it must belong to the same body')
        self.frame = frame


class MjsJoint(InBody, struct='MjsJoint'):
    """A joint of a body."""
    __slots__ = ()
    kind = 'joint'


class MjsGeom(InBody, struct='MjsGeom'):
    """A shape of a body."""
    __slots__ = ()
    kind = 'geom'


class MjsSite(InBody, struct='MjsSite'):
    """A place of interest on a body."""
    __slots__ = ()
    kind = 'site'

    def attach_body(self, body, prefix='', suffix=''):
        """Attach a body (with its subtree) of this or another spec here."""
        from .attach import attach_at_site
        return attach_at_site(self, body, prefix, suffix)


class MjsCamera(InBody, struct='MjsCamera'):
    """A camera on a body."""
    __slots__ = ()
    kind = 'camera'


class MjsLight(InBody, struct='MjsLight'):
    """A light on a body."""
    __slots__ = ()
    kind = 'light'


class _Adds(InBody):
    """What body and frame have in common: they add elements to a body."""

    __slots__ = ()

    def _place(self):
        """(body, frame) that a new element belongs to."""
        raise NotImplementedError

    def _add(self, cls, default, values):
        body, frame = self._place()
        element = cls(self.spec, default if default is not None else self.default)
        element.parent, element.frame = body, frame
        getattr(body, LISTS[cls.kind]).append(element)
        self.spec.changed()
        return element.set(**values) if values else element

    def add_body(self, default=None, **values):
        return self._add(MjsBody, default, values)

    def add_joint(self, default=None, **values):
        return self._add(MjsJoint, default, values)

    def add_geom(self, default=None, **values):
        return self._add(MjsGeom, default, values)

    def add_site(self, default=None, **values):
        return self._add(MjsSite, default, values)

    def add_camera(self, default=None, **values):
        return self._add(MjsCamera, default, values)

    def add_light(self, default=None, **values):
        return self._add(MjsLight, default, values)

    def add_frame(self, default=None, **values):
        body, frame = self._place()
        if isinstance(default, MjsFrame):
            frame, default = default, None
        new = MjsFrame(self.spec, default if default is not None else self.default)
        new.parent, new.frame = body, frame
        body.frames.append(new)
        return new.set(**values) if values else new

    def add_freejoint(self, **values):
        body, frame = self._place()
        joint = MjsJoint(self.spec)
        joint.raw['type'] = 0
        joint.parent, joint.frame, joint.default = body, frame, self.default
        body.joints.append(joint)
        return joint.set(**values) if values else joint


class MjsBody(_Adds, struct='MjsBody'):
    """A body: its pose, inertia, and lists of all that is on it."""

    __slots__ = ('bodies', 'joints', 'geoms', 'sites', 'cameras', 'lights', 'frames')
    kind = 'body'

    def __init__(self, spec, default=None, name=''):
        super().__init__(spec, default, name)
        for names in LISTS.values():
            setattr(self, names, [])

    def _place(self):
        return self, None

    def attach_frame(self, frame, prefix='', suffix=''):
        """Attach a frame (with all in it) of this or another spec to this body."""
        from .attach import attach_frame
        return attach_frame(self, frame, prefix, suffix)

    def first(self, kind):
        items = getattr(self, LISTS[kind])
        return items[0] if items else None

    def find_all(self, what):
        """All elements of a kind in this body and below; `what` is an mjtObj or the kind's name."""
        from .names import kind_of
        kind = kind_of(what)
        if kind not in LISTS:
            raise ValueError(f'a body has no elements of type {what}')
        found, todo = [], [self]
        while todo:
            body = todo.pop()
            found += getattr(body, LISTS[kind])
            todo += body.bodies[::-1]
        return found

    def find_child(self, name):
        """The body with this name below this one, or None."""
        for body in self.find_all('body'):
            if body.name == name:
                return body
        return None

    def to_frame(self):
        """Turn this body into a frame of its parent, and its elements into the parent's."""
        from .attach import body_to_frame
        return body_to_frame(self)


class MjsFrame(_Adds, struct='MjsFrame'):
    """A coordinate frame of a body: a pose for the elements in it."""

    __slots__ = ()
    kind = 'frame'

    def _place(self):
        return self.parent, self

    def attach_body(self, body, prefix='', suffix=''):
        """Attach a body (with its subtree) of this or another spec to this frame."""
        from .attach import attach_body
        return attach_body(self, body, prefix, suffix)


# list of a body that holds each kind of element
LISTS = {'body': 'bodies', 'joint': 'joints', 'geom': 'geoms', 'site': 'sites', 'camera': 'cameras', 'light': 'lights',
         'frame': 'frames'}


class MjsFlex(Element, struct='MjsFlex'):
    """A deformable body: its elements, the bodies that carry its vertices, contact and elasticity."""
    __slots__ = ('rigid',)
    kind = 'flex'

    def __init__(self, spec, default=None, name=''):
        super().__init__(spec, default, name)
        self.rigid = False


class MjsMesh(Element, struct='MjsMesh'):
    """A triangle mesh: a file, or vertices and faces."""
    __slots__ = ()
    kind = 'mesh'


class MjsHField(Element, struct='MjsHField'):
    """A height field: a file, or elevations."""
    __slots__ = ()
    kind = 'hfield'


class MjsSkin(Element, struct='MjsSkin'):
    """A skin: a mesh carried by bones."""
    __slots__ = ()
    kind = 'skin'


class MjsTexture(Element, struct='MjsTexture'):
    """A texture: builtin, from files, or given pixels."""
    __slots__ = ()
    kind = 'texture'

    def __init__(self, spec, default=None, name=''):
        super().__init__(spec, default, name)
        self.raw['gridlayout'] = '............'
        self.raw['cubefiles'] = [''] * 6


class MjsMaterial(Element, struct='MjsMaterial'):
    """A material: colours and the textures of its roles."""
    __slots__ = ()
    kind = 'material'

    def __init__(self, spec, default=None, name=''):
        super().__init__(spec, default, name)
        if not self.raw['textures']:
            self.raw['textures'] = [''] * 10


class MjsPair(Element, struct='MjsPair'):
    """A pair of geoms whose contacts are computed with parameters of their own."""
    __slots__ = ()
    kind = 'pair'


class MjsExclude(Element, struct='MjsExclude'):
    """A pair of bodies without contacts."""
    __slots__ = ()
    kind = 'exclude'


class MjsEquality(Element, struct='MjsEquality'):
    """An equality constraint."""
    __slots__ = ()
    kind = 'equality'


class MjsWrap(Element, struct='MjsWrap'):
    """One object of a tendon's path: `target` by name, with a coefficient, divisor or side site."""

    __slots__ = ('target_name', 'sidesite_name', 'prm', 'tendon')
    kind = 'wrap'

    def __init__(self, tendon, kind, target='', prm=0.0, sidesite=''):
        super().__init__(tendon.spec)
        self.raw['type'] = kind
        self.tendon, self.target_name, self.prm, self.sidesite_name = tendon, target, prm, sidesite

    def copy_to(self, spec):
        new = super().copy_to(spec)
        new.target_name, new.sidesite_name, new.prm, new.tendon = self.target_name, self.sidesite_name, self.prm, self.tendon
        return new

    @property
    def target(self):
        kind = {1: 'joint', 3: 'site', 4: 'geom', 5: 'geom'}.get(self.raw['type'])
        return self.spec.find(kind, self.target_name) if kind else None

    @property
    def sidesite(self):
        if self.raw['type'] not in (4, 5):
            raise ValueError('sidesite is only defined for a geom')
        return self.spec.find('site', self.sidesite_name) if self.sidesite_name else None

    @property
    def coef(self):
        if self.raw['type'] != 1:
            raise ValueError('coef is only defined for a joint')
        return self.prm

    @property
    def divisor(self):
        if self.raw['type'] != 2:
            raise ValueError('divisor is only defined for a pulley')
        return self.prm


class MjsTendon(Element, struct='MjsTendon'):
    """A tendon: a path of sites, geoms and pulleys, or a sum of joints."""

    __slots__ = ('path',)
    kind = 'tendon'

    def __init__(self, spec, default=None, name=''):
        super().__init__(spec, default, name)
        self.path = []

    def copy_to(self, spec):
        new = super().copy_to(spec)
        new.path = [w.copy_to(spec) for w in self.path]
        for w in new.path:
            w.tendon = new
        return new

    def _wrap(self, *args):
        self.path.append(MjsWrap(self, *args))
        return self.path[-1]

    def wrap_site(self, name):
        return self._wrap(3, name)

    def wrap_geom(self, name, sidesite=''):
        return self._wrap(4, name, 0.0, sidesite)

    def wrap_joint(self, name, coef):
        return self._wrap(1, name, float(coef))

    def wrap_pulley(self, divisor):
        return self._wrap(2, '', float(divisor))


class MjsActuator(Element, struct='MjsActuator'):
    """An actuator: transmission, dynamics, gain and bias."""

    __slots__ = ()
    kind = 'actuator'


for _name in shortcuts.PUBLIC:
    setattr(MjsActuator, 'set_to_' + _name, getattr(shortcuts, 'set_to_' + _name))


class MjsSensor(Element, struct='MjsSensor'):
    """A sensor."""
    __slots__ = ()
    kind = 'sensor'


class MjsNumeric(Element, struct='MjsNumeric'):
    """A named list of numbers."""
    __slots__ = ()
    kind = 'numeric'


class MjsText(Element, struct='MjsText'):
    """A named text."""
    __slots__ = ()
    kind = 'text'


class MjsTuple(Element, struct='MjsTuple'):
    """A named list of objects with a number each."""
    __slots__ = ()
    kind = 'tuple'


class MjsKey(Element, struct='MjsKey'):
    """A key frame: a saved state."""
    __slots__ = ()
    kind = 'key'


class MjsDefault:
    """A default class: one element of each kind whose fields new elements start from."""

    KINDS = {'mesh': MjsMesh, 'material': MjsMaterial, 'joint': MjsJoint, 'geom': MjsGeom, 'site': MjsSite,
             'camera': MjsCamera, 'light': MjsLight, 'flex': MjsFlex, 'pair': MjsPair, 'equality': MjsEquality,
             'tendon': MjsTendon, 'actuator': MjsActuator}

    def __init__(self, spec, name, parent=None):
        self.spec, self.name, self.parent, self.children = spec, name, parent, []
        for kind, cls in self.KINDS.items():
            element = cls(spec, parent, '')
            element.default = self
            setattr(self, kind, element)
        if parent is not None:
            parent.children.append(self)

    def copy_to(self, spec, parent=None, rename=lambda n: n):
        """A copy of this class and those below it."""
        new = MjsDefault.__new__(MjsDefault)
        new.spec, new.name, new.parent, new.children = spec, rename(self.name), parent, []
        for kind in self.KINDS:
            element = getattr(self, kind).copy_to(spec)
            element.default = new
            setattr(new, kind, element)
        for child in self.children:
            new.children.append(child.copy_to(spec, new, rename))
        return new

    def __repr__(self):
        return f"<MjsDefault '{self.name}'>"


def compile_error(element, message, *found):
    """A SpecError at the place an element was read from, or naming it."""
    node = element.place if element is not None else None
    if element is not None and element.name:
        message = f"{message} [{element.kind} '{element.name}']"
    return SpecError(message, node, '', *found)
