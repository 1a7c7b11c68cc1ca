"""Lights of a scene in browsers. Browsers use physical units, in which light of strength 1 has intensity pi, and map brightness
to colors in their own way. The strengths are chosen so that greys look as in the window.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...engine.tables.enums import mjtLightType
from ...render.scene.rotate import normalize
from .tone import strength

DIRECTIONAL, SPOT = int(mjtLightType.mjLIGHT_DIRECTIONAL), int(mjtLightType.mjLIGHT_SPOT)
# Distance of directional lights from the origin, in metres; only their direction has an effect.
AFAR = 10.0
# Fraction of a spotlight's cone over which its edge is blurred, and maximum half angle of the cone.
PENUMBRA, WIDEST = 0.3, math.pi / 2 - 1e-3
# Ambient light per unit of the headlight that it replaces; below 1, because a headlight meets most surfaces at an angle.
HEAD = 0.5
# Colors of the ambient light from above and from below, and their mean, as light.
WHITE, BELOW, MEAN = (255, 255, 255), (205, 205, 205), 0.8


class Lights:
    """Lights of one model in browsers: the model's lights in their current poses, and ambient light instead of its headlight. A
    headlight is impossible, because each user has another camera.
    """

    def __init__(self, server: Any, m: Any) -> None:
        self.scene, self.m = server.scene, m
        self.nodes: dict[int, Any] = {}
        self.even: Any = None
        self._ambient = 0.0
        server.scene.configure_default_lights(False)
        # Without this, viser's page adds the light of a warehouse, which washes out all colors.
        server.scene.configure_environment_map(None)

    def show(self, scn: Any) -> None:
        """Update the lights in browsers, given a scene."""
        n, rows = scn.nlight, scn.light
        ambient = rows.ambient[:n].sum(0)
        for k in np.flatnonzero(rows.headlight[:n]).tolist():
            ambient = ambient + HEAD * rows.diffuse[k]
        self._ambient = float(ambient.max(initial=0))
        for k in range(n):
            if not rows.headlight[k]:
                self._place(
                    int(rows.id[k]), int(rows.type[k]), rows.pos[k], rows.dir[k], rows.diffuse[k], bool(rows.castshadow[k])
                )
        shining = set(rows.id[:n].tolist())
        for number, node in self.nodes.items():
            if node.visible != (number in shining):
                node.visible = number in shining
        self._even(strength(self._ambient) / MEAN)

    def _even(self, intensity: float) -> None:
        """Set ambient light, stronger from above, so that shapes are recognizable."""
        if self.even is None:
            self.even = self.scene.add_light_hemisphere(
                "/lights/even", sky_color=WHITE, ground_color=BELOW, intensity=math.pi * intensity, position=(0.0, 0.0, AFAR)
            )
        self.even.intensity = math.pi * intensity

    def _place(self, number: int, kind: int, pos: np.ndarray, way: np.ndarray, diffuse: np.ndarray, casts: bool) -> None:
        way = normalize(np.asarray(way, float))[0]
        at = -AFAR * way if kind == DIRECTIONAL else np.asarray(pos, float)
        if number not in self.nodes:
            self.nodes[number] = self._make(number, kind, at, way, diffuse, casts)
            return
        node = self.nodes[number]
        node.position = at
        if kind == SPOT:
            node.direction = tuple(way.tolist())

    def _make(self, number: int, kind: int, at: np.ndarray, way: np.ndarray, diffuse: np.ndarray, casts: bool) -> Any:
        most = float(diffuse.max())
        color = tuple(np.round(255 * diffuse / max(most, 1e-6)).astype(int).tolist())
        # Subtract the strength of ambient light alone, because browsers map the sum of all light to brightness nonlinearly.
        added = strength(self._ambient + most) - strength(self._ambient)
        common = dict(color=color, intensity=math.pi * added, cast_shadow=casts, position=tuple(at.tolist()))
        name = f"/lights/{number}"
        if kind == DIRECTIONAL:
            return self.scene.add_light_directional(name, **common)
        if kind == SPOT:
            angle = min(math.radians(float(self.m.light_cutoff[number])), WIDEST)
            return self.scene.add_light_spot(
                name, angle=angle, penumbra=PENUMBRA, decay=0.0, direction=tuple(way.tolist()), **common
            )
        return self.scene.add_light_point(name, decay=0.0, **common)
