"""The cache of compiled assets: its size, its limit, and clearing it."""

from typing import Any

from ..description.files.cache import ASSETS, Cache
from .signature import public


def _need(cache: Any) -> None:
    """Raise TypeError unless an argument is the cache of compiled assets."""
    if not isinstance(cache, Cache):
        raise TypeError(f"incompatible function arguments: needs the result of mj_getCache(), got {type(cache).__name__}")


@public("", "object")
def mj_getCache():
    """Return the cache of compiled assets."""
    return ASSETS


@public("cache:o", "int")
def mj_getCacheSize(cache):
    """Return the number of bytes in use."""
    _need(cache)
    return cache.size


@public("cache:o", "int")
def mj_getCacheCapacity(cache):
    """Return the maximum size of the cache in bytes."""
    _need(cache)
    return cache.capacity


@public("cache:o size:z", "int")
def mj_setCacheCapacity(cache, size):
    """Set the maximum number of bytes, and return it."""
    _need(cache)
    cache.capacity = size
    return size


@public("cache:o")
def mj_clearCache(cache):
    """Empty the cache."""
    _need(cache)
    cache.clear()


__all__ = ["mj_clearCache", "mj_getCache", "mj_getCacheCapacity", "mj_getCacheSize", "mj_setCacheCapacity"]
