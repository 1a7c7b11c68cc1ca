// per-frame block, shared by all programs; mirrored by render/gl/frame.py
const int MAXLIGHT = 16;
const int MAXSHADOW = 8;
struct Light {
  vec4 pos;       // xyz; w: 1 if the light has a position
  vec4 dir;       // xyz; w: cosine of the cone, -2 without cone
  vec4 att;       // constant, linear, quadratic; w: cone exponent
  vec4 ambient;   // rgb; w: shadow layer, -1 without
  vec4 diffuse;
  vec4 specular;
};
layout(std140) uniform Frame {
  mat4 view;
  mat4 proj;
  vec4 eye;        // xyz in model space; w: 1 if orthographic
  vec4 gaze;       // forward direction; w: 1 if highlights are those of parallel rays to the eye
  vec4 fog;        // rgb; w: 1 if on
  vec4 range;      // fog start, fog end, number of lights, global ambient
  vec4 clip;       // clip plane in model space
  vec4 tint;       // colour factor of what is drawn reflected; w: 1 if shadows apply
  vec4 screen;     // viewport size, reciprocal size
  vec4 taps;       // shadow texel size, depth scale, number of taps per side, bias
  mat4 shadow[MAXSHADOW];
  Light lights[MAXLIGHT];
};
