#version 330 core
#include "frame.glsl"
#include "instance.glsl"
layout(location = 0) in vec3 aPos;
layout(location = 2) in vec2 aAux;
uniform int uLayer;
void main() {
  Instance g = fetch_instance();
  vec3 world = g.rot * (aPos * g.scale + vec3(0, 0, aAux.y * g.cap)) + g.pos;
  gl_Position = shadow[uLayer] * vec4(world, 1);
}
