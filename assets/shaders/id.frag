#version 330 core
flat in float vId;
in float vDepth;
uniform int uIdColor;
layout(location = 0) out vec4 oColor;
layout(location = 1) out float oDepth;

// radical inverse: neighbouring numbers get very different colours
float halton(int i, int b) {
  float f = 1.0 / float(b), r = 0.0;
  while (i > 0) {
    r += f * float(i % b);
    i /= b;
    f /= float(b);
  }
  return r;
}

void main() {
  int id = int(vId + 0.5);
  if (uIdColor > 0) {
    int v = id + 1;
    oColor = vec4(float(v & 255), float((v >> 8) & 255), float((v >> 16) & 255), 255.0) / 255.0;
  } else {
    oColor = vec4(0.1 + 0.8 * vec3(halton(id + 10, 2), halton(id + 10, 3), halton(id + 10, 5)), 1);
  }
  oDepth = vDepth;
}
