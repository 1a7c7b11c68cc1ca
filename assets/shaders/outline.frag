#version 330 core
uniform sampler2D uTexture;
uniform vec4 uColor;  // of the line; its width in pixels
uniform vec4 uPlace;  // x, y, width, height of the picture
layout(location = 0) out vec4 oColor;

const int WAYS = 12;

bool inside(vec2 at) {
  vec2 limited = clamp(at, vec2(0), uPlace.zw - 1.0);
  return texelFetch(uTexture, ivec2(limited), 0).a > 0.5;
}

bool near(vec2 at, float radius) {
  for (int i = 0; i < WAYS; i++) {
    float turn = 6.2831853 * float(i) / float(WAYS);
    if (inside(at + radius * vec2(cos(turn), sin(turn)))) return true;
  }
  return false;
}

void main() {
  vec2 at = gl_FragCoord.xy - uPlace.xy;
  if (inside(at)) discard;
  if (near(at, 0.5 * uColor.w) || near(at, uColor.w)) oColor = vec4(uColor.rgb, 1);
  else if (near(at, uColor.w + 1.5)) oColor = vec4(0, 0, 0, 0.55);
  else discard;
}
