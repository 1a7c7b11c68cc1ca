#version 330 core
#include "frame.glsl"
layout(location = 0) in vec3 aPos;
layout(location = 2) in vec2 aAux;
uniform mat4 uModel;
out vec3 vDir;
out float vOpacity;
void main() {
  vDir = vec3(aPos.x, aPos.z, -aPos.y);
  vOpacity = aAux.y;
  gl_Position = proj * view * uModel * vec4(aPos, 1);
}
