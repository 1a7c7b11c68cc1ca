#version 330 core
#include "frame.glsl"
#include "instance.glsl"
layout(location = 0) in vec3 aPos;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec2 aAux;
out vec3 vPos;
out vec3 vNormal;
out vec3 vTex;
flat out vec4 vColor;
flat out vec4 vSurface;
flat out float vTexMode;
void main() {
  Instance g = fetch_instance();
  vec3 local = aPos * g.scale + vec3(0, 0, aAux.y * g.cap);
  vec3 world = g.rot * local + g.pos;
  vPos = world;
  vNormal = g.rot * (aNormal / g.scale);
  vColor = g.rgba;
  vSurface = g.surface;
  vTexMode = g.tex.x;
  // planar coordinates come from object space, halved and centred; cube directions too
  if (g.tex.x < 1.5) vTex = vec3(0.5 * aPos.xy * vec2(g.tex.y, -g.tex.z) - 0.5, 0);
  else if (g.tex.x < 2.5) vTex = vec3(aAux, 0);
  else vTex = vec3(aPos.xy, g.tex.w < 0.0 ? aPos.z : aAux.x) * vec3(g.tex.yz, abs(g.tex.w));
  gl_ClipDistance[0] = dot(clip, vec4(world, 1));
  gl_Position = proj * view * vec4(world, 1);
}
