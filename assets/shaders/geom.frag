#version 330 core
#include "frame.glsl"
in vec3 vPos;
in vec3 vNormal;
in vec3 vTex;
flat in vec4 vColor;
flat in vec4 vSurface;
flat in float vTexMode;
layout(location = 0) out vec4 oColor;
uniform sampler2D uTexture;
uniform samplerCube uCube;
uniform sampler2D uMirror;
uniform sampler2DArrayShadow uShadow;
uniform int uReflect;
uniform vec4 uOrigin;     // corner of the viewport in the target

// share of the light that reaches the point, from a small square of filtered comparisons
float lit_share(int layer, vec3 normal, vec3 toward) {
  float slope = 1.0 - clamp(dot(normal, toward), 0.0, 1.0);
  vec4 p = shadow[layer] * vec4(vPos, 1);
  if (p.w <= 0.0) return 1.0;
  vec3 q = p.xyz / p.w * 0.5 + 0.5;
  if (any(lessThan(q.xy, vec2(0))) || any(greaterThan(q.xy, vec2(1)))) return 1.0;
  float z = min(q.z, 1.0) - taps.w * (0.4 + 2.0 * slope);
  int n = int(taps.z);
  float sum = 0.0, first = -0.5 * float(n - 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum += texture(uShadow, vec4(q.xy + taps.x * taps.y * (first + vec2(i, j)), float(layer), z));
  return sum / float(n * n);
}

vec3 shade(Light l, vec3 n, vec3 v, vec3 base, out vec3 toward) {
  float k = 1.0;
  toward = -l.dir.xyz;
  if (l.pos.w > 0.5) {
    vec3 d = l.pos.xyz - vPos;
    float r = length(d);
    toward = d / max(r, 1e-9);
    k = 1.0 / max(l.att.x + r * (l.att.y + r * l.att.z), 1e-9);
    if (l.dir.w > -1.5) {
      float c = dot(-toward, l.dir.xyz);
      k = c < l.dir.w ? 0.0 : k * pow(max(c, 1e-6), l.att.w);
    }
  }
  vec3 sum = l.ambient.rgb * base;
  float nl = dot(n, toward);
  if (nl > 0.0) {
    float nh = max(dot(n, normalize(toward + v)), 1e-6);
    sum += l.diffuse.rgb * base * nl + l.specular.rgb * vSurface.y * pow(nh, 128.0 * vSurface.z);
  }
  return k * sum;
}

void main() {
  vec3 n = normalize(vNormal);
  vec3 v = eye.w > 0.5 ? -gaze.xyz : normalize(eye.xyz - vPos);
  vec3 base = vColor.rgb * tint.rgb;
  vec3 sum = vSurface.x * base + range.w * base, extra = vec3(0), toward;
  int count = int(range.z);
  for (int i = 0; i < count; i++) {
    vec3 c = shade(lights[i], n, v, base, toward);
    int layer = int(lights[i].ambient.w);
    if (layer < 0 || tint.w < 0.5) sum += c;
    else extra += clamp(c, 0.0, 1.0) * lit_share(layer, n, toward);
  }
  vec4 color = vec4(clamp(sum, 0.0, 1.0) + extra, vColor.a);
  if (vTexMode > 2.5) color *= texture(uCube, vTex);
  else if (vTexMode > 0.5) color *= texture(uTexture, vTex.xy);
  if (fog.w > 0.5) {
    float z = -(view * vec4(vPos, 1)).z;
    color.rgb = mix(fog.rgb, color.rgb, clamp((range.y - z) / (range.y - range.x), 0.0, 1.0));
  }
  if (uReflect > 0) color.rgb += texture(uMirror, (gl_FragCoord.xy - uOrigin.xy) * screen.zw).rgb;
  oColor = color;
}
