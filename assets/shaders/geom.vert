#version 330 core
#include "frame.glsl"
#include "instance.glsl"
layout(location = 0) in vec3 aPos;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec2 aAux;
out vec3 vPos;
out vec3 vTex;
out float vUp;            // 1 on faces whose normal is the object's z axis
flat out vec4 vColor;
flat out float vTexMode;
flat out vec2 vRepeat;
#ifdef CLASSIC
out vec3 vLight;
#if CASTS > 0
out vec3 vCast[CASTS];    // light of each source with a shadow map
#endif
#include "light.glsl"
void shaded_light(int layer, vec3 c, vec3 n, vec3 toward) {
#if CASTS > 0
  vCast[layer] = c;
#endif
}
#else
out vec3 vNormal;
flat out vec4 vSurface;
#endif
void main() {
  Instance g = fetch_instance();
  vec3 unit = aPos + vec3(0, 0, aAux.y * g.cap / g.scale.z), world = g.rot * (unit * g.scale) + g.pos;
  vec3 normal = g.rot * (aNormal / g.scale);
  vPos = world;
  vUp = aNormal.z;
  vColor = g.rgba;
  vTexMode = g.tex.x;
  vRepeat = g.tex.yz;
#ifdef CLASSIC
#if CASTS > 0
  for (int i = 0; i < CASTS; i++) vCast[i] = vec3(0);
#endif
  vLight = all_lights(world, normalize(normal), g.rgba.rgb, g.surface);
#else
  vNormal = normal;
  vSurface = g.surface;
#endif
  // planar coordinates come from object space, halved and centred; cube directions too
  if (g.tex.x < 1.5) vTex = vec3(0.5 * aPos.xy * vec2(g.tex.y, -g.tex.z) - 0.5, 0);
  else if (g.tex.x < 2.5) vTex = vec3(aAux, 0);
  else if (g.tex.x > 3.5) vTex = vec3(aPos.xy, g.tex.x > 5.5 && g.tex.x < 6.5 ? aPos.z + aAux.y : aPos.z);
  else vTex = vec3(aPos.xy, g.tex.w < 0.0 ? aPos.z : aAux.x) * vec3(g.tex.yz, abs(g.tex.w));
  gl_ClipDistance[0] = dot(clip, vec4(world, 1));
  gl_Position = clip_place(g, unit, world);
}
