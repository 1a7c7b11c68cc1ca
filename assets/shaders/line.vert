#version 330 core
#include "frame.glsl"
// a line is a screen-facing strip: corner x along, y across
layout(location = 0) in vec2 aCorner;
layout(location = 3) in vec3 iStart;
layout(location = 4) in vec3 iEnd;
layout(location = 5) in vec4 iColor;
layout(location = 6) in vec2 iWidthId;
flat out vec4 vColor;
flat out float vId;
out float vDepth;
out vec3 vPos;
void main() {
  vec4 a = view * vec4(iStart, 1), b = view * vec4(iEnd, 1);
  float near = eye.w > 0.5 ? -1e30 : screen.x > 0.0 ? -1e-6 : 0.0;
  // pull ends behind the eye to just in front of it
  if (eye.w < 0.5) {
    float lim = -1e-4;
    if (a.z > lim && b.z < lim) a = mix(b, a, (lim - b.z) / (a.z - b.z));
    else if (b.z > lim && a.z < lim) b = mix(a, b, (lim - a.z) / (b.z - a.z));
  }
  vec4 pa = proj * a, pb = proj * b, p = aCorner.x < 0.5 ? pa : pb;
  vec2 dir = (pb.xy / pb.w - pa.xy / pa.w) * screen.xy;
  float len = length(dir);
  vec2 side = len > 0.0 ? vec2(-dir.y, dir.x) / len : vec2(0, 1);
  p.xy += side * aCorner.y * iWidthId.x * screen.zw * p.w;
  vColor = iColor;
  vId = iWidthId.y;
  vPos = aCorner.x < 0.5 ? iStart : iEnd;
  vDepth = aCorner.x < 0.5 ? -a.z : -b.z;
  gl_ClipDistance[0] = dot(clip, vec4(aCorner.x < 0.5 ? iStart : iEnd, 1));
  gl_Position = p;
}
