"""Resource providers: registering and finding them."""

from ..core.report import FatalError
from ..description.elements.elements import need
from ..description.files import providers
from ..description.files.providers import Provider
from ..description.files.vfs import MjVfs
from .signature import public

mjpResourceProvider = Provider


@public("provider:o")
def mjp_registerResourceProvider(provider):
    """Register an mjpResourceProvider and return its slot, counted from 1. FatalError if its scheme is taken or invalid."""
    try:
        return providers.register_provider(provider)
    except ValueError as error:
        raise FatalError(f"mjp_registerResourceProvider: {error}") from None


@public()
def mjp_resourceProviderCount():
    """Return the number of registered providers, including the built-in ones."""
    return len(providers.providers())


@public("resource_name:s")
def mjp_getResourceProvider(resource_name):
    """Return the provider that reads a name; None if the name is that of a file."""
    return providers.provider_of(resource_name)


@public("slot:i")
def mjp_getResourceProviderAtSlot(slot):
    """Return the provider in a slot, counted from 1, or None."""
    rows = providers.providers()
    return rows[slot - 1] if 1 <= slot <= len(rows) else None


@public("provider:o")
def mjp_registerProvider(provider):
    """Same as mjp_registerResourceProvider; this name exists since 3.16."""
    return mjp_registerResourceProvider(provider)


@public()
def mjp_providerCount():
    """Same as mjp_resourceProviderCount; this name exists since 3.16."""
    return mjp_resourceProviderCount()


@public("resource_name:s")
def mjp_findProvider(resource_name):
    """Same as mjp_getResourceProvider; this name exists since 3.16."""
    return providers.provider_of(resource_name)


@public("slot:i")
def mjp_getProviderAtSlot(slot):
    """Same as mjp_getResourceProviderAtSlot; this name exists since 3.16."""
    return mjp_getResourceProviderAtSlot(slot)


@public("vfs:o filepath:s provider:o")
def mj_mountVFS(vfs, filepath, provider):
    """Let an mjpResourceProvider read all names at and below a path, for loaders that use this MjVfs (since 3.5)."""
    need("mj_mountVFS", vfs, MjVfs)
    need("mj_mountVFS", provider, Provider)
    try:
        vfs.mount(filepath, provider)
    except ValueError as error:
        raise FatalError(f"mj_mountVFS: {error}") from None


@public("vfs:o filename:s")
def mj_unmountVFS(vfs, filename):
    """Remove the provider from a path."""
    need("mj_unmountVFS", vfs, MjVfs)
    try:
        vfs.unmount(filename)
    except KeyError:
        raise FatalError(f"mj_unmountVFS: '{filename}' has no provider") from None


__all__ = [
    "mj_mountVFS",
    "mj_unmountVFS",
    "mjpResourceProvider",
    "mjp_findProvider",
    "mjp_getProviderAtSlot",
    "mjp_getResourceProvider",
    "mjp_getResourceProviderAtSlot",
    "mjp_providerCount",
    "mjp_registerProvider",
    "mjp_registerResourceProvider",
    "mjp_resourceProviderCount",
]
