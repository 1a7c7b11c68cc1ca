#version 330 core
// strokes from a distance field, with a dark rim that keeps them readable on any background
in vec2 vTex;
flat in vec4 vColor;
layout(location = 0) out vec4 oColor;
uniform sampler2D uTexture;
uniform float uReach;
uniform float uPixel;                  // grid units per pixel
void main() {
  float d = (1.0 - texture(uTexture, vTex).r) * uReach;
  float soft = 0.5 * uPixel;
  float core = 1.0 - smoothstep(0.5 - soft, 0.5 + soft, d);
  float rim = 1.0 - smoothstep(0.5, 1.4, d);
  oColor = vec4(vColor.rgb * core, vColor.a * max(core, 0.75 * rim));
}
