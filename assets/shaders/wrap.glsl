// textures wrapped around primitives, as releases from 3.12 on do: each side of a box has the whole image, round shapes have it once around
const float PI = 3.14159265358979;

// along and down the image, in [0, 1], of a point of a unit shape; up is the third number of its normal
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
  // where the angle jumps, the turn by which it is counted differs from pixel to pixel: the way of counting that does not jump here
  vec2 dx = dFdx(at), dy = dFdy(at), ox = dFdx(other), oy = dFdy(other);
  bool second = abs(ox.x) + abs(oy.x) < abs(dx.x) + abs(dy.x);
  if (second) { dx = ox; dy = oy; }
  return textureGrad(image, other * repeat, dx * repeat, dy * repeat);
}
