#version 330 core
in vec3 vDir;
in float vOpacity;
layout(location = 0) out vec4 oColor;
uniform samplerCube uCube;
uniform vec4 uHaze;
void main() {
  oColor = uHaze.w > 0.5 ? vec4(uHaze.rgb, vOpacity) : vec4(texture(uCube, vDir).rgb, 1);
}
