// what a surface reflects of its surroundings; of the pictures that are averaged, each takes another of the surface's facets
uniform samplerCube uSky;
uniform vec4 uFacets;     // two numbers that choose facets; corner of the tile
uniform vec4 uAround;     // factor of the sky's colours; w: 1 if there is a sky
uniform vec4 uGround;     // colour of the ground; w: 1 if there is one
uniform vec4 uPlain;      // brightness above and below where there is no sky

vec3 surroundings(vec3 way) {
  vec3 sky = uAround.w > 0.5 ? texture(uSky, vec3(way.x, way.z, -way.y)).rgb : vec3(mix(uPlain.y, uPlain.x, 0.5 + 0.5 * way.z));
  return mix(uAround.rgb * sky, uGround.rgb, uGround.w * smoothstep(0.02, -0.02, way.z));
}

// two numbers in [0, 1) for a pixel, independent of other pixels': multiplied, mixed and shifted (Jarzynski and Olano 2020)
vec2 noise(vec2 pixel) {
  uvec2 v = uvec2(pixel) * 1664525u + 1013904223u;
  for (int k = 0; k < 2; k++) {
    v += v.yx * uvec2(1664525u, 1664525u);
    v ^= v >> 16u;
  }
  return vec2(v >> 8u) / 16777216.0;
}

// `color` is that of the whole surface; `surface` holds roughness, exponent and metallic share from its second number on
vec3 reflected(vec3 at, vec3 n, vec3 color, vec4 surface, vec2 pixel) {
  vec3 v = gaze.w > 0.5 ? -gaze.xyz : normalize(eye.xyz - at);
  vec2 u = fract(uFacets.xy + noise(pixel + uFacets.zw));
  // a facet, drawn with the probability of its slope (Walter 2007, eq. 35)
  float slope = surface.y * surface.y * sqrt(u.x / max(1.0 - u.x, 1e-4)), turn = 6.2831853 * u.y;
  vec3 side = normalize(cross(n, abs(n.z) < 0.9 ? vec3(0, 0, 1) : vec3(1, 0, 0)));
  vec3 h = normalize(n + slope * (cos(turn) * side + sin(turn) * cross(n, side)));
  vec3 way = reflect(-v, h);
  if (dot(way, n) <= 0.0) return vec3(0);
  // the share that is reflected: Schlick 1994
  vec3 least = mix(vec3(0.04), color, surface.w);
  return surroundings(way) * (least + (1.0 - least) * pow(1.0 - max(dot(v, h), 0.0), 5.0));
}
