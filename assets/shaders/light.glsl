// light that a surface sends to the eye; for vertices (CLASSIC) or pixels
// light of a source with shadow map `layer`; the file that includes this one defines the function
void shaded_light(int layer, vec3 c, vec3 n, vec3 toward);

// one source at a point; `toward` is the direction to it
vec3 one_light(Light l, vec3 at, vec3 n, vec3 v, vec3 base, vec3 full, vec4 surface, out vec3 toward) {
  float k = 1.0;
  toward = -l.dir.xyz;
  if (l.pos.w > 0.5) {
    vec3 d = l.pos.xyz - at;
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
#ifdef STUDIO
    // highlights of a material that may be a metal, in the metal's colour (Akenine-Moeller, Haines 2002)
    if (surface.w >= 0.0) {
      float e = 128.0 * surface.z;
      vec3 bright = mix(vec3(0.04), full, surface.w) * (e + 8.0) / 8.0 * pow(nh, e);
      return k * (sum + (l.diffuse.rgb * base + l.specular.rgb * bright) * nl);
    }
#endif
    sum += l.diffuse.rgb * base * nl + l.specular.rgb * surface.y * pow(nh, 128.0 * surface.z);
  }
  return k * sum;
}

// emission, and light of the sources without shadow map; the others call shaded_light
vec3 all_lights(vec3 at, vec3 n, vec3 color, vec4 surface) {
  vec3 v = gaze.w > 0.5 ? -gaze.xyz : normalize(eye.xyz - at);
  vec3 full = color * tint.rgb, base = full;
#ifdef STUDIO
  // a metal reflects light at its surface only, none from below
  base *= 1.0 - max(surface.w, 0.0);
#endif
  vec3 sum = surface.x * base + range.w * base, toward;
  int count = int(range.z);
  for (int i = 0; i < count; i++) {
    vec3 c = one_light(lights[i], at, n, v, base, full, surface, toward);
    int layer = int(lights[i].ambient.w);
    if (layer < 0 || tint.w < 0.5) sum += c;
    else shaded_light(layer, clamp(c, 0.0, 1.0), n, toward);
  }
  return clamp(sum, 0.0, 1.0);
}
