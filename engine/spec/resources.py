"""Where files come from: given assets first, then registered providers (scheme:name), then the file system."""

import base64
import io
import os
import zipfile
from urllib.parse import unquote_to_bytes

MAX_FILE = 1 << 31

_providers = {}


class Provider:
    """A resource provider: `scheme` and functions of the full name. `modified` tells whether a stamp is out of date."""

    def __init__(self, scheme, read, exists=None, getdir=None, stamp=None):
        self.scheme, self.read = scheme, read
        self.exists = exists or (lambda name: True)
        self.getdir = getdir or dirname
        self.stamp = stamp or (lambda name: None)


def register_provider(provider):
    """Make `scheme:...` names readable; raises if the scheme is taken or is no scheme."""
    scheme = provider.scheme
    if not scheme or not (scheme[0].isalpha() and scheme.replace('+', '').replace('-', '').replace('.', '').isalnum()):
        raise ValueError(f"'{scheme}' is not a scheme")
    if scheme in _providers:
        raise ValueError(f"a provider for '{scheme}:' is already registered")
    _providers[scheme] = provider


def provider_of(name):
    """The provider whose scheme starts the name, or None."""
    scheme, colon, _ = name.partition(':')
    return _providers.get(scheme) if colon else None


def dirname(path):
    """The directory part of a path with its separator, as written."""
    cut = max(path.rfind('/'), path.rfind('\\'))
    return path[:cut + 1]


def is_absolute(path):
    """Whether a path stands alone."""
    return path[:1] in ('/', '\\') or ':/' in path or ':\\' in path or provider_of(path) is not None


def join(*parts):
    """Join path parts, a later absolute part replacing what came before; `.` and `..` are reduced."""
    path = ''
    for part in parts:
        if not part:
            continue
        if is_absolute(part) or not path:
            path = part
        else:
            path = path + part if path[-1] in '/\\' else path + '/' + part
    return reduce_path(path)


def reduce_path(path):
    """The path without `.` and with `..` resolved where possible."""
    if provider_of(path) is not None or '.' not in path:
        return path
    path = path.replace('\\', '/')
    root = '/' if path[:1] == '/' else ''
    parts = []
    for p in path[len(root):].split('/'):
        if p == '..' and parts and parts[-1] != '..':
            parts.pop()
        elif p != '.':
            parts.append(p)
    return root + '/'.join(parts)


class Files:
    """Reads names for one load: the assets of this load (name → bytes or text), providers, the file system.

    `inside`: if given, files outside this directory are refused. `folders`: if given, assets are known by their whole names,
    not by their last parts, and these folders in front of a name do not count.
    """

    def __init__(self, assets=None, inside=None, folders=None):
        self.assets = {}
        self.folders = sorted(filter(None, folders or ()), key=len, reverse=True)
        self.inside = os.path.realpath(inside) if inside else None
        self.used = []
        # models that are being read, from the outermost in, and elements that macros have copied
        self.models = []
        self.copied = 0
        if folders is not None:
            self.assets = {reduce_path(name): data for name, data in (assets or {}).items()}
            return
        for name, data in (assets or {}).items():
            key = basename(name).lower()
            if key in self.assets:
                raise ValueError(f'Repeated file name in assets: {key}')
            self.assets[key] = data
            self.assets.setdefault(reduce_path(name), data)

    def _asset(self, path):
        if not self.assets:
            return None
        for folder in self.folders:
            if path.startswith(folder):
                path = path[len(folder):]
                break
        hit = self.assets.get(basename(path).lower())
        return self.assets.get(reduce_path(path)) if hit is None else hit

    def exists(self, path):
        """Whether a name can be opened."""
        if self._asset(path) is not None:
            return True
        provider = provider_of(path)
        if provider is not None:
            return provider.exists(path)
        return os.path.isfile(path)

    def read(self, path):
        """bytes of a name; OSError if it cannot be read."""
        data = self._asset(path)
        if data is not None:
            return data.encode() if isinstance(data, str) else bytes(data)
        provider = provider_of(path)
        if provider is not None:
            return bytes(provider.read(path))
        real = os.path.realpath(path)
        if self.inside and not (real + os.sep).startswith(self.inside + os.sep):
            raise PermissionError(f"'{path}' is outside '{self.inside}'")
        size = os.path.getsize(real)
        if size > MAX_FILE:
            raise OSError(f"'{path}' has {size} bytes, more than the limit of {MAX_FILE}")
        self.used.append(path)
        with open(real, 'rb') as f:
            return f.read()


def basename(path):
    """The part of a path behind the last separator."""
    return path[max(path.rfind('/'), path.rfind('\\')) + 1:]


def renamed(path, prefix, suffix):
    """A path whose last part has a prefix, and a suffix before its ending."""
    cut = max(path.rfind('/'), path.rfind('\\')) + 1
    path = path[:cut] + prefix + path[cut:]
    dot = path.rfind('.')
    return path + suffix if dot < 0 else path[:dot] + suffix + path[dot:]


def _read_data_uri(name):
    head, comma, body = name.partition(',')
    if not comma:
        raise OSError('a data: URI needs a comma')
    return base64.b64decode(body) if head.endswith(';base64') else unquote_to_bytes(body)


def _read_zip(name):
    archive, bang, member = name[4:].partition('!')
    if not bang:
        raise OSError("a zip: name is 'zip:archive!member'")
    with zipfile.ZipFile(archive) as z:
        return z.read(member.lstrip('/'))


def zip_assets(source):
    """All files of a zip archive (path, bytes or file object) as an assets dictionary."""
    if isinstance(source, (bytes, bytearray)):
        source = io.BytesIO(source)
    with zipfile.ZipFile(source) as z:
        total = sum(i.file_size for i in z.infolist())
        if total > MAX_FILE:
            raise OSError(f'the archive unpacks to {total} bytes, more than the limit of {MAX_FILE}')
        return {i.filename: z.read(i) for i in z.infolist() if not i.is_dir()}


register_provider(Provider('data', _read_data_uri, getdir=lambda name: ''))
register_provider(Provider('zip', _read_zip))
