"""Attaching: copies of subtrees under other bodies, with their names and all that refers to them, from the same or another spec."""

from . import orient
from .elements import LISTS, MjsBody, MjsFrame
from .errors import SpecError
from .keyframes import settle, store
from .names import KIND_OF
from .spec import OBJECTS

KINDS = ('geom', 'joint', 'site', 'camera', 'light')
# kinds that refer to the tree and are copied when what they refer to is there, in this order
REFERRING = ('flex', 'pair', 'exclude', 'tendon', 'equality', 'actuator', 'sensor', 'tuple')
ASSETS = ('mesh', 'skin', 'hfield', 'texture', 'material')
# fields that name elements of the tree: renamed with them
TREE_NAMES = {'camera': ('targetbody',), 'light': ('targetbody', 'texture'), 'equality': ('name1', 'name2'),
              'actuator': ('target', 'refsite', 'slidersite')}
# fields that name assets: renamed only if those come from another spec
ASSET_NAMES = {'geom': ('material', 'hfieldname', 'meshname'), 'site': ('material',), 'mesh': ('material',)}
# what each equality type relates
EQUALITY = {2: 'joint', 3: 'tendon', 4: 'flex'}
TARGET = {0: 'joint', 1: 'joint', 2: 'site', 3: 'tendon', 4: 'site', 5: 'body'}


class Names:
    """How names change: prefix before, suffix behind; `foreign` if the source is another spec."""

    def __init__(self, prefix, suffix, foreign):
        self.prefix, self.suffix, self.foreign = prefix, suffix, foreign

    def __call__(self, name):
        return self.prefix + name + self.suffix if name else name

    def apply(self, e):
        """Rename an element and its references."""
        e.name = self(e.name)
        raw = e.raw
        for field in TREE_NAMES.get(e.kind, ()):
            raw[field] = self(raw[field])
        if self.foreign:
            for field in ASSET_NAMES.get(e.kind, ()):
                raw[field] = self(raw[field])
        plugin = raw.get('plugin')
        if plugin is not None and plugin.raw['name']:
            plugin.raw['name'] = self(plugin.raw['name'])


class _Copier:
    """Copies elements into `spec` under new names."""

    def __init__(self, spec, source, names):
        self.spec, self.source, self.names = spec, source, names
        self.classes = {}
        self.copies = {}

    def element(self, e, body, frames):
        """A copy of an element for a body; its frame is looked up among the copied ones."""
        new = self.copies[e] = e.copy_to(self.spec)
        new.parent = body
        new.frame = frames.get(e.frame) if e.frame is not None else None
        new.default = self.classes.get(e.default, e.default)
        self.names.apply(new)
        self.plugin(e, new)
        return new

    def plugin(self, e, new):
        """An element's own plugin instance is copied with it."""
        ref = new.raw.get('plugin')
        if ref is not None and ref.raw['active'] and not ref.raw['name'] and e.raw['plugin'].source is not None:
            source = e.raw['plugin'].source
            ref.source = source.copy_to(self.spec)
            self.spec.plugins.append(ref.source)

    def body(self, body, parent, frame):
        """A copy of a body with all that is in it and below."""
        new = self.copies[body] = body.copy_to(self.spec)
        for names in LISTS.values():
            setattr(new, names, [])
        new.parent, new.frame = parent, frame
        new.default = self.classes.get(body.default, body.default)
        self.names.apply(new)
        self.plugin(body, new)
        frames = self.frames(body.frames, new, {})
        for kind in KINDS:
            getattr(new, LISTS[kind]).extend(self.element(e, new, frames) for e in getattr(body, LISTS[kind]))
        for child in body.bodies:
            new.bodies.append(self.body(child, new, frames.get(child.frame)))
        return new

    def frames(self, frames, body, known):
        """Copies of frames into a body; returns old → new."""
        copies = dict(known)
        for f in frames:
            new = f.copy_to(self.spec)
            new.parent = body
            new.default = self.classes.get(f.default, f.default)
            self.names.apply(new)
            copies[f] = new
            body.frames.append(new)
        for f in frames:
            copies[f].frame = copies.get(f.frame)
        return copies

    def defaults(self):
        """Default classes of another spec come below the main class, under new names."""
        if self.source is self.spec:
            return
        copy = self.source.default.copy_to(self.spec, self.spec.default, self.names)
        self.spec.default.children.append(copy)
        todo = [(self.source.default, copy)]
        while todo:
            old, new = todo.pop()
            self.classes[old] = new
            for kind in new.KINDS:
                e = getattr(new, kind)
                for field in ASSET_NAMES.get(kind, ()):
                    e.raw[field] = self.names(e.raw[field])
            todo += zip(old.children, new.children)


def _inside(outer, frame):
    """Whether a frame is `outer` or stands in it."""
    while frame is not None:
        if frame is outer:
            return True
        frame = frame.frame
    return False


def attach_frame(body, frame, prefix='', suffix=''):
    """Copy a frame and all that stands in it to a body; returns the new frame."""
    spec, source = body.spec, frame.spec
    names = Names(prefix, suffix, source is not spec)
    copier = _Copier(spec, source, names)
    keys = store(source, names) if source.keys else []
    copier.defaults()
    old = frame.parent
    new = frame.copy_to(spec)
    new.parent, new.frame = body, frame.frame if source is spec else None
    new.default = copier.classes.get(frame.default, frame.default)
    names.apply(new)
    body.frames.append(new)
    frames = {frame: new}
    inner = [f for f in old.frames if f is not frame and _inside(frame, f.frame)]
    frames = copier.frames(inner, body, frames)
    for kind in KINDS:
        chosen = [e for e in getattr(old, LISTS[kind]) if _inside(frame, e.frame)]
        getattr(body, LISTS[kind]).extend([copier.element(e, body, frames) for e in chosen])
    for child in [b for b in old.bodies if _inside(frame, b.frame)]:
        body.bodies.append(copier.body(child, body, frames[child.frame]))
    spec.changed()
    _copy_references(spec, source, names, copier)
    settle(spec, keys, copier.copies)
    return new


def attach_body(frame, body, prefix='', suffix=''):
    """Copy a body with its subtree into a frame; returns the new body."""
    spec, source = frame.spec, body.spec
    names = Names(prefix, suffix, source is not spec)
    copier = _Copier(spec, source, names)
    keys = store(source, names) if source.keys else []
    copier.defaults()
    new = copier.body(body, frame.parent, frame)
    frame.parent.bodies.append(new)
    spec.changed()
    _copy_references(spec, source, names, copier)
    settle(spec, keys, copier.copies)
    return new


def attach_spec(holder, source, prefix='', suffix=''):
    """Attach the whole of another spec: everything in its world, put into one frame."""
    world = source.worldbody
    frame = MjsFrame(source)
    frame.parent = world
    for names in LISTS.values():
        for e in getattr(world, names):
            if e.frame is None:
                e.frame = frame
    world.frames.append(frame)
    if isinstance(holder, MjsFrame):
        new = attach_frame(holder.parent, frame, prefix, suffix)
        new.frame = holder
        return new
    return attach_frame(holder, frame, prefix, suffix)


def attach_at_site(site, what, prefix='', suffix=''):
    """Attach a body or a frame at a site: in a new frame with the site's pose."""
    raw = site.spec.compiler.raw
    quat, error = orient.resolve(tuple(site.raw['quat']), site.raw['alt'], raw['degree'], raw['eulerseq'])
    if error:
        raise SpecError(error, site.place)
    frame = site.parent.add_frame(pos=site.raw['pos'], quat=quat)
    frame.frame = site.frame
    if isinstance(what, MjsBody):
        return attach_body(frame, what, prefix, suffix)
    new = attach_frame(site.parent, what, prefix, suffix)
    new.frame = frame
    return new


def _copy_references(spec, source, names, copier):
    """Copies of what refers to the tree, as far as all that it names is now in the spec."""
    known = _Known(spec)
    if source is not spec:
        for kind in ASSETS:
            for e in getattr(source, OBJECTS[kind][0]):
                _add_asset(spec, kind, e, names, copier)
        for kind in ('numeric', 'text'):
            for e in getattr(source, OBJECTS[kind][0]):
                new = e.copy_to(spec)
                names.apply(new)
                getattr(spec, OBJECTS[kind][0]).append(new)
        for plugin in source.active_plugins:
            if plugin not in spec.active_plugins:
                spec.active_plugins.append(plugin)
        _copy_instances(spec, source, names)
    for kind in REFERRING:
        target = getattr(spec, OBJECTS[kind][0])
        for e in list(getattr(source, OBJECTS[kind][0])):
            new = e.copy_to(spec)
            new.default = copier.classes.get(e.default, e.default)
            names.apply(new)
            if RENAME[kind](new, names, known):
                copier.copies[e] = new
                copier.plugin(e, new)
                target.append(new)
                known.add(kind, new.name)


def _add_asset(spec, kind, e, names, copier):
    from . import resources
    new = e.copy_to(spec)
    # files of the other model stay where they are
    if new.raw.get('file') and not resources.is_absolute(new.raw['file']):
        dirs = {'texture': 'texturedir'}.get(kind, 'meshdir')
        new.raw['file'] = resources.join(e.spec.modelfiledir, e.compiler.raw[dirs], new.raw['file'])
    if not new.name and new.raw.get('file'):
        base = resources.basename(new.raw['file'])
        new.name = base[:base.rfind('.')] if '.' in base else base
    new.default = copier.classes.get(e.default, e.default)
    names.apply(new)
    if kind == 'material':
        new.raw['textures'] = [names(t) for t in new.raw['textures']]
    if kind == 'skin':
        new.raw['bodyname'] = [names(b) for b in new.raw['bodyname']]
    copier.plugin(e, new)
    getattr(spec, OBJECTS[kind][0]).append(new)


def _copy_instances(spec, source, names):
    """Named plugin instances of another spec."""
    for p in source.plugins:
        if p.name:
            new = p.copy_to(spec)
            new.name = names(p.name)
            spec.plugins.append(new)


class _Known:
    """Names by kind of everything in a spec, gathered when asked for."""

    def __init__(self, spec):
        self.spec, self.sets = spec, {}

    def has(self, kind, name):
        kind = 'body' if kind == 'xbody' else kind
        names = self.sets.get(kind)
        if names is None:
            names = self.sets[kind] = {e.name for e in self.spec.items(kind)} - {''}
        return name in names

    def add(self, kind, name):
        if name and kind in self.sets:
            self.sets[kind].add(name)


def _both(raw, a, b, kinds, names, known):
    """Rename two references; if only one is found under its new name, the other keeps its old one."""
    old = raw[a], raw[b]
    new = names(old[0]), names(old[1])
    found = [not k or known.has(k, n) for k, n in zip(kinds, new)]
    if kinds[0] and kinds[1] and found[0] != found[1]:
        i = 0 if not found[0] else 1
        new = tuple(old[k] if k == i else new[k] for k in (0, 1))
        found[i] = known.has(kinds[i], old[i])
    raw[a], raw[b] = new
    return all(found)


def _pair(e, names, known):
    return _both(e.raw, 'geomname1', 'geomname2', ('geom', 'geom'), names, known)


def _exclude(e, names, known):
    return _both(e.raw, 'bodyname1', 'bodyname2', ('body', 'body'), names, known)


def _sensor(e, names, known):
    raw = e.raw
    return _both(raw, 'objname', 'refname', (KIND_OF.get(raw['objtype'], ''), KIND_OF.get(raw['reftype'], '')), names, known)


def _equality(e, names, known):
    raw = e.raw
    kind = EQUALITY.get(raw['type']) or KIND_OF.get(raw['objtype'], 'body')
    return known.has(kind, raw['name1']) and (not raw['name2'] or known.has(kind, raw['name2']))


def _actuator(e, names, known):
    raw = e.raw
    kind = TARGET.get(raw['trntype'])
    if kind is None or not known.has(kind, raw['target']):
        return False
    return all(not raw[f] or known.has('site', raw[f]) for f in ('refsite', 'slidersite'))


def _tendon(e, names, known):
    """At least one object of the path must be among the copies."""
    hits = pulleys = 0
    for w in e.path:
        kind = {1: 'joint', 3: 'site'}.get(w.raw['type'], 'geom')
        if w.raw['type'] == 2:
            pulleys += 1
        elif known.has(kind, names(w.target_name)):
            w.target_name = names(w.target_name)
            side = names(w.sidesite_name)
            w.sidesite_name = side if known.has('site', side) else w.sidesite_name
            hits += 1
        elif not known.has(kind, w.target_name):
            return False
    return hits > 0


def _tuple(e, names, known):
    e.raw['objname'] = [names(n) for n in e.raw['objname']]
    return all(known.has(KIND_OF.get(int(k), ''), n) for k, n in zip(e.raw['objtype'], e.raw['objname']))


def _flex(e, names, known):
    for field in ('vertbody', 'nodebody'):
        e.raw[field] = [names(n) for n in e.raw[field]]
    return all(known.has('body', n) for f in ('vertbody', 'nodebody') for n in e.raw[f])


RENAME = {'flex': _flex, 'pair': _pair, 'exclude': _exclude, 'tendon': _tendon, 'equality': _equality, 'actuator': _actuator,
          'sensor': _sensor, 'tuple': _tuple}


def remove_subtree(spec, body):
    """Remove a body with its subtree, and what refers to it."""
    body.parent.bodies.remove(body)
    spec.changed()
    known = _Known(spec)
    same = Names('', '', False)
    for kind in ('pair', 'exclude', 'tendon', 'equality', 'actuator', 'sensor'):
        items = getattr(spec, OBJECTS[kind][0])
        if not items:
            continue
        gone = set(map(id, body.find_all('body')))
        lost = _Known(spec)
        lost.sets = _names_below(body, gone)
        items[:] = [e for e in items if RENAME[kind](e.copy_to(spec), same, known) or not _mentions(kind, e, lost)]


def _names_below(body, gone):
    sets = {kind: {e.name for e in body.find_all(kind)} for kind in (*KINDS, 'frame')}
    sets['body'] = {body.name} | {b.name for b in body.find_all('body')}
    return sets


def _mentions(kind, e, lost):
    """Whether an element names something that was removed."""
    raw = e.raw
    rows = {'pair': [('geom', raw.get('geomname1')), ('geom', raw.get('geomname2'))],
            'exclude': [('body', raw.get('bodyname1')), ('body', raw.get('bodyname2'))],
            'sensor': [(KIND_OF.get(raw.get('objtype'), ''), raw.get('objname')), (KIND_OF.get(raw.get('reftype'), ''), raw.get('refname'))],
            'equality': [(EQUALITY.get(raw.get('type')) or KIND_OF.get(raw.get('objtype'), 'body'), raw.get(n)) for n in ('name1', 'name2')],
            'actuator': [(TARGET.get(raw.get('trntype')), raw.get('target')), ('site', raw.get('refsite')), ('site', raw.get('slidersite'))]}
    if kind == 'tendon':
        pairs = [({1: 'joint', 3: 'site'}.get(w.raw['type'], 'geom'), w.target_name) for w in e.path]
    else:
        pairs = rows[kind]
    return any(name and k in lost.sets and name in lost.sets[k] for k, name in pairs)


def body_to_frame(body):
    """A body becomes a frame of its parent; what was on it, and its children, move up into that frame."""
    parent = body.parent
    frame = MjsFrame(body.spec)
    frame.parent, frame.frame, frame.name = parent, body.frame, body.name
    frame.raw['pos'], frame.raw['quat'], frame.raw['alt'] = body.raw['pos'], body.raw['quat'], body.raw['alt']
    parent.frames.append(frame)
    for names in LISTS.values():
        for e in getattr(body, names):
            e.parent = parent
            if e.frame is None:
                e.frame = frame
            getattr(parent, names).append(e)
        setattr(body, names, [])
    parent.bodies.remove(body)
    body.spec.changed()
    return frame

