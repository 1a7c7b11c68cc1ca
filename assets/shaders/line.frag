#version 330 core
#include "frame.glsl"
#include "shadow.glsl"
flat in vec4 vColor;
in vec3 vPos;
layout(location = 0) out vec4 oColor;
void main() {
  vec3 color = vColor.rgb * tint.rgb;
#ifdef CLASSIC
  // a line has no light of its own: every pass of a source with shadows draws its colour once more
  if (tint.w > 0.5 && vColor.a > 0.9999)
    for (int i = 0; i < CASTS; i++) color += vColor.rgb * sharp_share(i, vPos);
#endif
  oColor = vec4(color, vColor.a);
}
