/**
 * Shaders of `stoa-particles`. A particle's state is a function of time and its number, so the CPU computes nothing.
 */

/** Hashes the particle's number, a purpose and, for values drawn anew in each life, the life's number. */
const RANDOM = `
  float random(float what) {
    float life = mod(what, 2.0) > 0.5 ? cycle : 0.0;
    return fract(sin(dot(vec3(number, life, what), vec3(12.9898, 78.233, 37.719))) * 43758.5453);
  }
  vec3 random3(float what) {
    return vec3(random(what), random(what + 20.0), random(what + 40.0));
  }
  // Random point in a box, or on a sphere or disc; shape is 1, 2 or 3.
  vec3 spread(float shape, vec3 middle, vec3 wide, float what) {
    vec3 chance = random3(what) - 0.5;
    if (shape < 1.5) return middle + chance * wide;
    float turn = 6.28318 * random(what);
    float up = shape < 2.5 ? 2.0 * random(what + 20.0) - 1.0 : 0.0;
    vec3 way = vec3(sqrt(1.0 - up * up) * vec2(cos(turn), sin(turn)), up);
    return way * (middle + chance.z * wide);
  }`;

/** The vertex shader; each point carries only its number. */
export const PARTICLE_VERTEX = `
  attribute float number;
  uniform float time; uniform float count; uniform float duration; uniform float enabled; uniform float backward;
  uniform vec2 age; uniform vec2 drag; uniform vec2 wiggle;
  uniform vec3 shapes; uniform float radius; uniform vec3 radiusScale;
  uniform vec3 offset; uniform vec3 offsetSpread;
  uniform vec3 velocity; uniform vec3 velocitySpread; uniform vec3 acceleration; uniform vec3 accelerationSpread;
  uniform vec3 inks[4]; uniform vec3 inkSpreads[4];
  uniform vec4 opacity; uniform vec4 opacitySpread; uniform vec4 size; uniform vec4 sizeSpread; uniform vec4 angle; uniform vec4 angleSpread;
  uniform vec4 anew; uniform vec4 anewToo;
  uniform float scale; uniform float perspective; uniform float pixels;
  varying vec4 vInk; varying float vAngle; varying float vShare;
  float cycle;
  #include <fog_pars_vertex>
  ${RANDOM}
  float along(vec4 keys, float share) {
    float at = share * 3.0;
    if (at < 1.0) return mix(keys.x, keys.y, at);
    return at < 2.0 ? mix(keys.y, keys.z, at - 1.0) : mix(keys.z, keys.w, at - 2.0);
  }
  vec3 inkAlong(vec3 keys[4], float share) {
    float at = share * 3.0;
    if (at < 1.0) return mix(keys[0], keys[1], at);
    return at < 2.0 ? mix(keys[1], keys[2], at - 1.0) : mix(keys[2], keys[3], at - 2.0);
  }
  void main() {
    cycle = 0.0;
    float life = max(0.01, age.x + (random(2.0) - 0.5) * age.y);
    float since = time - life * number / count;
    cycle = floor(since / life);
    float t = since - cycle * life;
    float born = time - t;
    bool alive = since >= 0.0 && enabled > 0.5 && (duration < 0.0 || born <= duration);
    if (backward > 0.5) t = life - t;
    float share = clamp(t / life, 0.0, 1.0);
    // An even purpose draws once, an odd one in each life.
    vec3 place = shapes.x < 1.5 ? spread(shapes.x, offset, offsetSpread, 4.0 + anew.x)
      : offset + spread(shapes.x, vec3(radius), offsetSpread, 4.0 + anew.x) * radiusScale;
    vec3 speed = spread(shapes.y, velocity, velocitySpread, 6.0 + anew.y);
    vec3 push = spread(shapes.z, acceleration, accelerationSpread, 8.0 + anew.z);
    float slow = clamp(1.0 - (drag.x + (random(10.0 + anew.w) - 0.5) * drag.y) * share, 0.0, 1.0);
    place += (speed * t + 0.5 * push * t * t) * slow;
    float sway = wiggle.x + (random(12.0) - 0.5) * wiggle.y;
    place += sway == 0.0 ? vec3(0.0) : vec3(sin(t * sway), cos(t * sway), sin(t * sway + 1.0)) * 0.1 * min(t, 1.0);
    float chance = random(14.0 + anewToo.x) - 0.5;
    vec3 ink = clamp(inkAlong(inks, share) + inkAlong(inkSpreads, share) * (random3(16.0 + anewToo.y) - 0.5), 0.0, 1.0);
    float seen = along(opacity, share) + along(opacitySpread, share) * (random(18.0 + anewToo.z) - 0.5);
    vInk = vec4(ink, alive ? clamp(seen, 0.0, 1.0) : 0.0);
    vAngle = along(angle, share) + along(angleSpread, share) * (random(60.0 + anewToo.w) - 0.5);
    vShare = share;
    vec4 mvPosition = modelViewMatrix * vec4(place, 1.0);
    float wide = max(0.0, along(size, share) + along(sizeSpread, share) * chance);
    gl_PointSize = alive ? min(512.0, wide * pixels * (perspective > 0.5 ? scale / max(0.1, -mvPosition.z) : 1.0)) : 0.0;
    gl_Position = alive ? projectionMatrix * mvPosition : vec4(2.0, 2.0, 2.0, 1.0);
    #include <fog_vertex>
  }`;

/** The fragment shader: a texture, or a soft dot if there is no texture. */
export const PARTICLE_FRAGMENT = `
  uniform sampler2D picture; uniform float pictured; uniform vec2 frames; uniform float frameCount; uniform float frameLoop;
  uniform float alphaTest;
  varying vec4 vInk; varying float vAngle; varying float vShare;
  #include <fog_pars_fragment>
  void main() {
    vec2 at = gl_PointCoord - 0.5;
    at = mat2(cos(vAngle), -sin(vAngle), sin(vAngle), cos(vAngle)) * at + 0.5;
    if (at.x < 0.0 || at.y < 0.0 || at.x > 1.0 || at.y > 1.0) discard;
    vec4 ink = vInk;
    if (pictured > 0.5) {
      float frame = mod(floor(vShare * frameLoop * frameCount), frameCount);
      vec2 cell = vec2(mod(frame, frames.x), floor(frame / frames.x));
      vec2 place = (cell + at) / frames;
      ink *= texture2D(picture, vec2(place.x, 1.0 - place.y));
    } else ink.a *= smoothstep(0.5, 0.35, length(at - 0.5));
    if (ink.a <= alphaTest) discard;
    gl_FragColor = ink;
    #include <colorspace_fragment>
    #include <fog_fragment>
  }`;
