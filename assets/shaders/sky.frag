#version 330 core
#include "frame.glsl"
in vec3 vDir;
in float vOpacity;
in float vDepth;
layout(location = 0) out vec4 oColor;
uniform samplerCube uCube;
uniform vec4 uHaze;
void main() {
  oColor = uHaze.w > 0.5 ? vec4(uHaze.rgb, vOpacity) : vec4(texture(uCube, vDir).rgb, 1);
  if (fog.w > 0.5) oColor.rgb = mix(fog.rgb, oColor.rgb, clamp((range.y - vDepth) / (range.y - range.x), 0.0, 1.0));
}
