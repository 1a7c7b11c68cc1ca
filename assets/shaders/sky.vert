#version 330 core
#include "frame.glsl"
layout(location = 0) in vec3 aPos;
layout(location = 2) in vec2 aAux;
uniform mat4 uModel;
out vec3 vDir;
out float vOpacity;
out float vDepth;
void main() {
  vDir = vec3(aPos.x, aPos.z, -aPos.y);
  vOpacity = aAux.y;
  vec4 p = view * uModel * vec4(aPos, 1);
  vDepth = -p.z;
  gl_Position = proj * p;
}
