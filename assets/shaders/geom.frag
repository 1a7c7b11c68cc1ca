#version 330 core
#include "frame.glsl"
#include "shadow.glsl"
#include "wrap.glsl"
in vec3 vPos;
in vec3 vTex;
in float vUp;
flat in vec4 vColor;
flat in float vTexMode;
flat in vec2 vRepeat;
layout(location = 0) out vec4 oColor;
uniform sampler2D uTexture;
uniform samplerCube uCube;
uniform sampler2D uMirror;
uniform int uReflect;
uniform vec4 uOrigin;     // corner of the viewport in the target
uniform int uPart;        // 0: all light, 1: all but the light of sources with shadows, 2: only the light of sources with shadows
#ifdef CLASSIC
in vec3 vLight;
#if CASTS > 0
in vec3 vCast[CASTS];
#endif
#else
in vec3 vNormal;
flat in vec4 vSurface;
vec3 extra = vec3(0);     // light that reaches the point, unless it is in the shade
#include "light.glsl"
#ifdef STUDIO
#include "around.glsl"
#endif

// share of the light that reaches the point: the mean of a small square of filtered comparisons
float lit_share(int layer, vec3 normal, vec3 toward) {
  float slope = 1.0 - clamp(dot(normal, toward), 0.0, 1.0);
  vec3 q = map_place(layer, vPos);
  if (any(lessThan(q.xy, vec2(0))) || any(greaterThan(q.xy, vec2(1)))) return 1.0;
  float z = q.z + taps.w * (0.4 + 2.0 * slope);
  int n = int(taps.z);
  float sum = 0.0, first = -0.5 * float(n - 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += texture(uShadow, vec4(q.xy + taps.x * (first + vec2(i, j)), float(layer), z));
  return sum / float(n * n);
}

void shaded_light(int layer, vec3 c, vec3 n, vec3 toward) {
  extra += c * lit_share(layer, n, toward);
}
#endif

void main() {
  vec4 texel = vec4(1);
  if (vTexMode > 3.5) texel = wrapped(uTexture, vTexMode, vTex, vUp, vRepeat);
  else if (vTexMode > 2.5) texel = texture(uCube, vTex);
  else if (vTexMode > 0.5) texel = texture(uTexture, vTex.xy);
#ifdef CLASSIC
  vec3 light = uPart < 2 ? clamp(vLight, 0.0, 1.0) : vec3(0);
#if CASTS > 0
  // where a texture has holes, sources with shadows add no light
  if (tint.w > 0.5 && uPart != 1 && vColor.a * texel.a >= 0.99)
    for (int i = 0; i < CASTS; i++) light += clamp(vCast[i], 0.0, 1.0) * sharp_share(i, vPos);
#endif
#else
  vec3 light = all_lights(vPos, normalize(vNormal), vColor.rgb, vSurface) + extra;
#ifdef STUDIO
  if (vSurface.w >= 0.0) light += reflected(vPos, normalize(vNormal), vColor.rgb * tint.rgb, vSurface, gl_FragCoord.xy);
#endif
#endif
  vec4 color = vec4(light, vColor.a) * texel;
  if (fog.w > 0.5) {
    float z = -(view * vec4(vPos, 1)).z;
    color.rgb = mix(uPart < 2 ? fog.rgb : vec3(0), color.rgb, clamp((range.y - z) / (range.y - range.x), 0.0, 1.0));
  }
  // only the upper face of a box reflects
  if (uReflect > 0 && uPart < 2 && vUp > 0.5) color.rgb += texture(uMirror, (gl_FragCoord.xy - uOrigin.xy) * screen.zw).rgb;
  oColor = color;
}
