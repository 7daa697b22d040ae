/** Every number that bounds something here, with its reason. */

/** What an attribute's number may be at most where its schema knows no end: float32 still resolves 8 cm there. */
export const NUMBER_MAX = 1e6;
/** Segments of a geometry: more than this is invisible, and a million freezes the page. */
export const SEGMENTS_MAX = 256;
/**
 * Numbers that are held below what their schema allows, by attribute or `<schema>.<attribute>`: beyond these a page freezes, a graphics card
 * refuses, or somebody's ears hurt, and nobody sees a difference.
 */
export const CAPS: Readonly<Record<string, number>> = {
  anisotropy: 16,
  detail: 5,
  "env-presets.fog": 1,
  p: 64,
  poolSize: 8,
  q: 64,
  radiusSegments: SEGMENTS_MAX,
  randomRadiusMax: 100,
  randomRadiusMin: 100,
  segments: SEGMENTS_MAX,
  segmentsCap: SEGMENTS_MAX,
  segmentsDepth: SEGMENTS_MAX,
  segmentsHeight: SEGMENTS_MAX,
  segmentsPhi: SEGMENTS_MAX,
  segmentsRadial: SEGMENTS_MAX,
  segmentsTheta: SEGMENTS_MAX,
  segmentsTubular: SEGMENTS_MAX,
  segmentsWidth: SEGMENTS_MAX,
  shadowMapHeight: 4_096,
  shadowMapWidth: 4_096,
  tabSize: 64,
  volume: 1,
};
/** Half the opening of a spot light that casts shadows: at a right angle three.js's view of its shadows is flat. */
export const SPOT_SHADOW_DEGREES_MAX = 89;
/** Pieces of a `thickline` that are drawn. */
export const PATH_POINTS_MAX = 64;
/** Depth of a chain of parents that is followed; the realm's own limit for descendants is the same. */
export const PARENT_DEPTH_MAX = 64;
/** Others' movements are shown this late, so that one message may be late by half of it: camera messages come every 100 ms. */
export const INTERPOLATION_DELAY_MS = 150;
/** What the motion plane tells is shown as late as news come, and this: the sender's and the server's tick. */
export const MOTION_DELAY_MS = 100;
/** How much faster or slower than the clock what is shown may go, to get as late as news are: nobody sees a tenth. */
export const MOTION_SLEW = 0.1;
/** People who are drawn each by themselves, with a name and a model: what a slow phone bears. All others are drawn in one go. */
export const NEAR_PEOPLE_MAX = 24;
/** Between two people who change between crowd and entity, at least: making an entity takes a page a millisecond or two. */
export const CHANGE_OVER_MS = 100;
/** Who is near is looked at this often. */
export const NEAR_INTERVAL_MS = 500;
/** Somebody near stays so until another is nearer by this factor: two who walk side by side don't take turns. */
export const NEAR_BIAS = 0.8;
/** People who are drawn by themselves because something hangs on them. */
export const PINNED_PEOPLE_MAX = 64;
/** Colours of people that are kept: more than a scene has people. */
export const COLORS_MAX = 4_096;
/** Places that are made for people at a distance, at first; twice as many when these are full. */
export const CROWD_MIN = 64;
/** A movement goes on this long without news, then stops: longer, and a lost message walks people through walls. */
export const EXTRAPOLATION_MAX_MS = 100;
/** Poses of one person that are kept: the delay at one message each 20 ms, twice. */
export const POSES_KEPT = 16;
/** Messages closer together than this are one: they come from a burst after a pause. */
export const POSE_GAP_MIN_MS = 20;
/** Own pose: looked at this often; the client sends at most every 100 ms. */
export const PUBLISH_INTERVAL_MS = 50;
/** What the pointer is over: looked at this often without a movement of it, since objects move as well. */
export const HOVER_INTERVAL_MS = 100;
/** While an object is dragged, its place is sent this often. */
export const DRAG_INTERVAL_MS = 100;
/** What others moved gets there in this time: one message every 100 ms then looks like one movement. */
export const GLIDE_MS = 100;
/** Farther than this in one message is no movement but another place: 100 ms at 40 m/s. */
export const GLIDE_M_MAX = 4;
/** Pixels drawn per pixel of the page: beyond two nobody sees a difference, and a phone of three draws twice as many. */
export const PIXEL_RATIO_MAX = 2;
/** A directional light's shadows reach this far from its target: the size of a large room. */
export const SHADOW_REACH_M = 10;
/** Pixels of a shadow map where the light asks for none: 2 cm each over that room. */
export const SHADOW_MAP_PIXELS = 1_024;
/** A matte surface from this roughness on: its gloss is too faint to be worth the shader that draws it. */
export const MATTE_ROUGHNESS_MIN = 0.7;
/** A name is at least this high, and grows with the distance beyond which it would be unreadable, up to a size that hides nothing. */
export const NAME_HEIGHT_M = { min: 0.16, max: 0.8, perMetre: 0.055 } as const;
/** An address: what servers and browsers agree on. */
export const URL_LENGTH_MAX = 2_048;
/** The sky: farther than anything in a scene, nearer than the camera sees. */
export const SKY_RADIUS_M = 400;
/** The ground ends in the horizon's colour. */
export const GROUND_SIZE_M = 400;
/** Exponential fog at its thickest: nothing is seen beyond about 20 m. */
export const FOG_DENSITY_MAX = 0.12;
/** Walking, in metres a second: twice a person's pace, for scenes are large. */
export const WALK_M_PER_S = 3;
/** A frame that took longer is no reason to walk through a wall. */
export const STEP_MAX_S = 0.1;
/** A thumbstick that rests shows up to this much. */
export const DEAD_ZONE = 0.15;
/** A thumbstick turns one around from this much on: not by chance while walking. */
export const SNAP_AT = 0.7;
/** Less than this is no movement: a headset on a table trembles. */
export const MOVED_M = 0.001;
/** Less than this is no turn. */
export const TURNED_RAD = 0.002;
/** Less than this is no turn to glide through. */
export const GLIDE_RAD_MIN = 1e-4;
/** A target that isn't there is looked for again this often. */
export const SEARCH_INTERVAL_MS = 1_000;
/** A name stands this much above the eyes: over the head. */
export const SIGN_ABOVE_M = 0.25;
/** A drag ends here at the latest: near the horizon a pixel is a kilometre. */
export const REACH_M = 100;
/** ARENA's offset of a landmark is that of the eyes; one stands this much below it. */
export const EYE_HEIGHT_M = 1.6;
