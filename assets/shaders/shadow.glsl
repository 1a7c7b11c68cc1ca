// comparison of distances to a light with its shadow map; depth decreases from 1 at the light
uniform sampler2DArrayShadow uShadow;
vec3 map_place(int layer, vec3 at) {
  vec4 p = shadow[layer] * vec4(at, 1);
  if (p.w <= 0.0) return vec3(-1, -1, 1);
  vec3 q = p.xyz / p.w;
  return vec3(q.xy * 0.5 + 0.5, clamp(q.z * taps.y + (1.0 - taps.y), 0.0, 1.0));
}

// one comparison; outside the map there is light, because its border is empty
float sharp_share(int layer, vec3 at) {
  vec3 q = map_place(layer, at);
  return texture(uShadow, vec4(q.xy, float(layer), q.z));
}
