#version 330 core
#include "frame.glsl"
#include "instance.glsl"
layout(location = 0) in vec3 aPos;
layout(location = 2) in vec2 aAux;
flat out float vId;
out float vDepth;
void main() {
  Instance g = fetch_instance();
  vec3 unit = aPos + vec3(0, 0, aAux.y * g.cap / g.scale.z), world = g.rot * (unit * g.scale) + g.pos;
  vId = g.surface.w;
  vDepth = -(view * vec4(world, 1)).z;
  gl_Position = clip_place(g, unit, world);
}
