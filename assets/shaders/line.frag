#version 330 core
#include "frame.glsl"
flat in vec4 vColor;
layout(location = 0) out vec4 oColor;
void main() { oColor = vec4(vColor.rgb * tint.rgb, vColor.a); }
