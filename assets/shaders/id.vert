#version 330 core
#include "frame.glsl"
#include "instance.glsl"
layout(location = 0) in vec3 aPos;
layout(location = 2) in vec2 aAux;
flat out float vId;
out float vDepth;
void main() {
  Instance g = fetch_instance();
  vec4 eyepos = view * vec4(g.rot * (aPos * g.scale + vec3(0, 0, aAux.y * g.cap)) + g.pos, 1);
  vId = g.surface.w;
  vDepth = -eyepos.z;
  gl_Position = proj * eyepos;
}
