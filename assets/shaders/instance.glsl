// one record of seven texels per geom; mirrored by render/gl/instances.py
uniform samplerBuffer uInstances;
uniform int uBase;
struct Instance {
  mat3 rot;
  vec3 pos;
  vec3 scale;
  float cap;
  vec4 rgba;
  vec4 surface;   // emission, specular, shininess, segmentation id
  vec4 tex;       // mode: 0 none, 1 planar, 2 given, 3 cube, from 4 on wrapped (wrap.glsl); three scales
};
#ifdef CLASSIC
// from the unit shape to clip space in one matrix, rounded and summed as fixed-function OpenGL does: where surfaces coincide, the
// same one is seen in the same pixels
uniform samplerBuffer uClip;
vec4 clip_place(Instance g, vec3 unit, vec3 world) {
  int i = 4 * (uBase + gl_InstanceID);
  vec4 p = texelFetch(uClip, i) * unit.x;
  p = texelFetch(uClip, i + 1) * unit.y + p;
  p = texelFetch(uClip, i + 2) * unit.z + p;
  return texelFetch(uClip, i + 3) + p;
}
#else
vec4 clip_place(Instance g, vec3 unit, vec3 world) { return proj * (view * vec4(world, 1)); }
#endif
Instance fetch_instance() {
  int i = 7 * (uBase + gl_InstanceID);
  vec4 a = texelFetch(uInstances, i), b = texelFetch(uInstances, i + 1), c = texelFetch(uInstances, i + 2);
  vec4 s = texelFetch(uInstances, i + 3);
  Instance o;
  o.rot = transpose(mat3(a.xyz, b.xyz, c.xyz));
  o.pos = vec3(a.w, b.w, c.w);
  o.scale = s.xyz;
  o.cap = s.w;
  o.rgba = texelFetch(uInstances, i + 4);
  o.surface = texelFetch(uInstances, i + 5);
  o.tex = texelFetch(uInstances, i + 6);
  return o;
}
