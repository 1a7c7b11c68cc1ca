"""PyOpenGL's EGL module, with the extensions that list graphics devices (EGL_EXT_device_enumeration,
EGL_EXT_platform_device)."""

import ctypes
from collections.abc import Callable
from typing import Any

import OpenGL.EGL as EGL
from OpenGL import error
from OpenGL.EGL import *  # noqa: F403  # pyright: ignore[reportWildcardImportFromLibrary]

_names: Any = EGL
EGL_PLATFORM_DEVICE_EXT = 0x313F
PFNEGLQUERYDEVICESEXTPROC = ctypes.CFUNCTYPE(
    _names.EGLBoolean, _names.EGLint, ctypes.POINTER(_names.EGLDeviceEXT), ctypes.POINTER(_names.EGLint)
)
PFNEGLGETPLATFORMDISPLAYEXTPROC = ctypes.CFUNCTYPE(
    _names.EGLDisplay, _names.EGLenum, ctypes.c_void_p, ctypes.POINTER(_names.EGLint)
)


def _function(kind: Callable, name: str) -> Any:
    """Return a function of an extension. Raise ImportError if EGL lacks it."""
    address = _names.eglGetProcAddress(name)
    if not address:
        raise ImportError(f"{name} is not available.")
    return kind(address)


_eglQueryDevicesEXT = _function(PFNEGLQUERYDEVICESEXTPROC, "eglQueryDevicesEXT")
eglGetPlatformDisplayEXT = _function(PFNEGLGETPLATFORMDISPLAYEXTPROC, "eglGetPlatformDisplayEXT")


def eglQueryDevicesEXT(max_devices: int = 10) -> list[Any]:
    """Return at most max_devices graphics devices. Raise GLError if EGL cannot list them."""
    devices, count = (_names.EGLDeviceEXT * max_devices)(), _names.EGLint()
    result = _eglQueryDevicesEXT(max_devices, devices, count)
    if result != _names.EGL_TRUE:
        raise error.GLError(err=_names.eglGetError(), baseOperation=eglQueryDevicesEXT, result=result)
    return [devices[i] for i in range(count.value)]
