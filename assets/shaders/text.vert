#version 330 core
layout(location = 0) in vec2 aCorner;
layout(location = 3) in vec4 iRect;    // left, bottom, width, height in pixels
layout(location = 4) in vec4 iCell;    // left, bottom, width, height in the atlas
layout(location = 5) in vec4 iColor;
uniform vec4 uScreen;                  // size, reciprocal size
out vec2 vTex;
flat out vec4 vColor;
void main() {
  vTex = iCell.xy + aCorner * iCell.zw;
  vColor = iColor;
  gl_Position = vec4((iRect.xy + aCorner * iRect.zw) * uScreen.zw * 2.0 - 1.0, 0, 1);
}
