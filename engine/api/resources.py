"""Resource providers: registering and finding them."""
from ..core.report import FatalError
from ..description.files import providers
from ..description.files.providers import Provider
from .signature import public

mjpResourceProvider = Provider


@public("provider:o")
def mjp_registerResourceProvider(provider):
    """Register an mjpResourceProvider; returns its slot, from 1. FatalError if its scheme is taken or makes no sense."""
    try:
        return providers.register_provider(provider)
    except ValueError as error:
        raise FatalError(f"mjp_registerResourceProvider: {error}") from None


@public()
def mjp_resourceProviderCount():
    """How many providers are registered, those that are built in included."""
    return len(providers.providers())


@public("resource_name:s")
def mjp_getResourceProvider(resource_name):
    """The provider that reads a name, or None if it is the name of a file."""
    return providers.provider_of(resource_name)


@public("slot:i")
def mjp_getResourceProviderAtSlot(slot):
    """The provider in a slot, from 1, or None."""
    rows = providers.providers()
    return rows[slot - 1] if 1 <= slot <= len(rows) else None


__all__ = ["mjpResourceProvider", "mjp_getResourceProvider", "mjp_getResourceProviderAtSlot", "mjp_registerResourceProvider",
           "mjp_resourceProviderCount"]
