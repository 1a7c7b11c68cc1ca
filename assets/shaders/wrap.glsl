// textures wrapped around primitives, as in releases from 3.12 on: each side of a box shows the whole image, round shapes show it once
const float PI = 3.14159265358979;

// where in the image, along and down in [0, 1], a point of a unit shape lies; `up` is the third number of its normal
vec2 place_in_image(float mode, vec3 p, float up) {
  if (mode < 4.5) return vec2(0.5 + 0.5 * p.x, 0.5 - 0.5 * p.y);                            // plane
  float around = atan(p.y, p.x) / (2.0 * PI);
  if (mode < 5.5) return vec2(around, acos(clamp(p.z / length(p), -1.0, 1.0)) / PI);        // sphere, ellipsoid
  if (mode < 6.5) {                                                                         // capsule: third number is 1 .. 2 on the upper cap
    float z = clamp(abs(p.z) - 1.0, 0.0, 1.0), down = acos(z) * 2.0 / PI;
    return vec2(around, abs(p.z) <= 1.0 ? 0.5 - 0.5 * p.z : p.z > 0.0 ? down : 1.0 - down);
  }
  if (mode < 7.5) return abs(up) > 0.5 ? 0.5 + 0.5 * p.xy : vec2(around, 0.5 - 0.5 * p.z);  // cylinder
  vec3 a = abs(p);                                                                          // box
  if (a.z >= max(a.x, a.y)) return vec2(0.5 + 0.5 * p.x, 0.5 - 0.5 * p.y);
  return vec2(0.5 + 0.5 * (a.x > a.y ? p.y : p.x), 0.5 - 0.5 * p.z);
}

vec4 wrapped(sampler2D image, float mode, vec3 p, float up, vec2 repeat) {
  vec2 at = place_in_image(mode, p, up), other = vec2(fract(at.x), at.y);
  // the angle jumps somewhere; count it from the opposite side here if that does not jump at this pixel
  vec2 dx = dFdx(at), dy = dFdy(at), ox = dFdx(other), oy = dFdy(other);
  bool second = abs(ox.x) + abs(oy.x) < abs(dx.x) + abs(dy.x);
  if (second) { dx = ox; dy = oy; }
  return textureGrad(image, other * repeat, dx * repeat, dy * repeat);
}
