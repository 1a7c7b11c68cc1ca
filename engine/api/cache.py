"""The cache of compiled assets: its size, its limit, emptying it."""
from ..spec import c_mesh
from .signature import public


class AssetCache:
    """Meshes that were compiled before, by content."""

    def __repr__(self):
        return f"<asset cache, {self.size} of {self.capacity} bytes>"

    @property
    def capacity(self):
        return c_mesh.CACHE_BYTES

    @capacity.setter
    def capacity(self, count):
        c_mesh.CACHE_BYTES = count
        while self.size > count and c_mesh._cache:
            c_mesh._cache.pop(next(iter(c_mesh._cache)))

    @property
    def size(self):
        return sum(x.bytes() for x in c_mesh._cache.values())

    def clear(self):
        c_mesh._cache.clear()


_CACHE = AssetCache()


def _need(cache):
    if not isinstance(cache, AssetCache):
        raise TypeError(f"incompatible function arguments: needs the result of mj_getCache(), got {type(cache).__name__}")


@public("", "object")
def mj_getCache():
    """The cache of compiled assets."""
    return _CACHE


@public("cache:o", "int")
def mj_getCacheSize(cache):
    """Bytes in use."""
    _need(cache)
    return cache.size


@public("cache:o", "int")
def mj_getCacheCapacity(cache):
    """Bytes that may be used."""
    _need(cache)
    return cache.capacity


@public("cache:o size:z", "int")
def mj_setCacheCapacity(cache, size):
    """Set how many bytes may be used; returns that number."""
    _need(cache)
    cache.capacity = size
    return size


@public("cache:o")
def mj_clearCache(cache):
    """Empty the cache."""
    _need(cache)
    cache.clear()


__all__ = ["mj_clearCache", "mj_getCache", "mj_getCacheCapacity", "mj_getCacheSize", "mj_setCacheCapacity"]
