/** Limits and tuning constants of this package, with reasons. */
import { MOTION_OWN_MAX } from "@stoa/client/limits";

/** Largest number for an attribute whose schema has no maximum: float32 still resolves 6 cm there. */
export const NUMBER_MAX = 1e6;
/** Segments of a geometry. A finer division is invisible, and a million segments freeze the page. */
export const SEGMENTS_MAX = 256;
/**
 * Limits of attributes by their name, in every schema. Larger values freeze a page, exceed a graphics card or hurt
 * ears, without a visible benefit. An attribute's own `x-cap` in `spec/objects/` overrides its limit here.
 */
export const CAPS: Readonly<Record<string, number>> = {
  anisotropy: 16,
  detail: 5,
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
/** Lines in one text of a panel: further lines run off any wall. */
export const TEXT_LINES_MAX = 200;
/** Characters of headings, captions and button names. */
export const PANEL_TITLE_LENGTH_MAX = 200;
/** How long the plates of a `blip` grow and shrink, as in ARENA's page. */
export const BLIP_PLATE_MS = 333;
/** Buttons of one panel: more can't be scanned at a glance. */
export const BUTTONS_MAX = 32;
/** Entries of the menu in VR and AR: more don't fit into the field of view. */
export const MENU_ENTRIES_MAX = 12;
/** Distance of the user's own panels from the eyes: within reach, without eye strain. */
export const OWN_PANEL_AWAY_M = 0.7;
/** Characters of a text input and of its form's texts, cut as in ARENA's page. */
export const INPUT_TEXT_LENGTH_MAX = 140;
/** Choices in one form. */
export const OPTIONS_MAX = 64;
/** Videos loaded at once in a page: phones can't decode more. */
export const VIDEOS_MAX = 12;
/** Links and spawn points of one model, in total. */
export const MODEL_NODES_MAX = 64;
/** Characters of a URL or name in a model. */
export const MODEL_TEXT_LENGTH_MAX = 512;
/** Entries of a list shown to people: landmarks, credits. */
export const LIST_MAX = 200;
/** Half the cone of a spot light that casts shadows: at 90° three.js's shadow camera degenerates. */
export const SPOT_SHADOW_DEGREES_MAX = 89;
/** Points of a `thickline`: all are one draw call, and a hand-drawn line has fewer. */
export const PATH_POINTS_MAX = 4_096;
/** Keys read of a particle's lifetime ramp; `ramp.ts` resamples them to the shader's four. */
export const RAMP_KEYS_MAX = 16;
/** Depth of a parent chain that is followed, equal to the realm's limit on levels of descendants. */
export const PARENT_DEPTH_MAX = 64;
/** Delay of poses from messages, which are sent every 100 ms: a message may arrive 50 ms late. */
export const INTERPOLATION_DELAY_MS = 150;
/** Delay of the motion plane's poses in addition to the measured jitter: covers the sender's and the server's tick. */
export const MOTION_DELAY_MS = 100;
/** How far the playback rate may deviate from 1 while the delay adapts: 10 % is not visible. */
export const MOTION_SLEW = 0.1;
/**
 * People drawn as entities with a name and a model, by a slow phone's performance. The rest are instances of one
 * crowd mesh.
 */
export const NEAR_PEOPLE_MAX = 24;
/** Shortest time between two swaps from crowd to entity or back: creating an entity takes 1 to 2 ms. */
export const CHANGE_OVER_MS = 100;
/** How often the nearest people are selected. */
export const NEAR_INTERVAL_MS = 500;
/**
 * A near person is replaced only by one nearer by this factor, so that two people walking side by side don't
 * alternate.
 */
export const NEAR_BIAS = 0.8;
/** Factor of a speaker's distance in the choice of the nearest, so that a speaker in a crowd has a name sign. */
export const SPEAKER_BIAS = 0.25;
/** How long that lasts after the last speech, so that a pause between sentences rebuilds no entity. */
export const SPEAKER_NEAR_MS = 10_000;
/** People drawn as entities because objects are attached to them. */
export const PINNED_PEOPLE_MAX = 64;
/** Parsed colours in the crowd's cache, which is emptied when full. */
export const COLORS_MAX = 4_096;
/** Initial instance count of the crowd; it doubles when full. */
export const CROWD_MIN = 64;
/** How long a movement is extrapolated without news. With a longer time a lost message moves people through walls. */
export const EXTRAPOLATION_MAX_MS = 100;
/** Buffered poses of one head, hand or object: twice the delay at one message every 20 ms. */
export const POSES_KEPT = 16;
/** Messages closer together than this count as one: they arrive in a burst after a pause. */
export const POSE_GAP_MIN_MS = 20;
/** How often the user's own pose is sampled; the client sends it by message at most every 100 ms. */
export const PUBLISH_INTERVAL_MS = 50;
/** How often each ray's hover target is tested, even while the pointer rests: objects move too. */
export const HOVER_INTERVAL_MS = 100;
/** How often a dragged object's position is sent. */
export const DRAG_INTERVAL_MS = 100;
/** Ground farther away than this is no drop target: the user meant a nearer point. */
export const DROP_REACH_M = 30;
/** A shorter drag is a press with a tremor. */
export const DRAGGED_FROM_M = 0.01;
/** Length of the gizmo's arrows as a share of their distance from the eyes: about a tenth of the view's height. */
export const GIZMO_VIEW_PART = 0.16;
/** Longest wait for a thumbnail's model: distant objects of a large scene load late. */
export const THUMBNAIL_WAIT_MS = 30_000;
/** Outlines around objects held by other people. More means a crowd is building, and each outline is a draw call. */
export const HELD_SHOWN_MAX = 48;
/** Range of the scale factor of one drag. */
export const SCALE_FACTOR = { min: 0.01, max: 100 } as const;
/** Duration of the glide after another person's move: messages every 100 ms then look like one movement. */
export const GLIDE_MS = 100;
/** A longer step is a teleport and not smoothed: 100 ms at 40 m/s. */
export const GLIDE_M_MAX = 4;
/** Device pixels per CSS pixel: above 2 no difference is visible, and a phone with 3 draws twice as many. */
export const PIXEL_RATIO_MAX = 2;
/** Reach of a directional light's shadows from its target: the size of a large room. */
export const SHADOW_REACH_M = 10;
/** Side of a shadow map in pixels, unless the light sets one: 2 cm each over that room. */
export const SHADOW_MAP_PIXELS = 1_024;
/** From this roughness on a surface is drawn matte: its gloss is too faint to pay for the physical shader. */
export const MATTE_ROUGHNESS_MIN = 0.7;
/** Height of a name sign. It grows with distance to stay readable, up to a size that hides nothing. */
export const NAME_HEIGHT_M = { min: 0.16, max: 0.8, perMetre: 0.055 } as const;
/** Characters of a URL that servers and browsers agree on. */
export const URL_LENGTH_MAX = 2_048;
/** Characters kept of a refused URL for the error message. */
export const REFUSED_SHOWN_MAX = 200;
/** Stars of a night sky. */
export const STARS = 1_500;
/** Walking speed, in metres per second: twice a person's pace, because scenes are large. */
export const WALK_M_PER_S = 3;
/** Longest time step of a movement: a slow frame must not carry the user through a wall. */
export const STEP_MAX_S = 0.1;
/** A thumbstick at rest reports up to this deflection. */
export const DEAD_ZONE = 0.15;
/** Deflection from which a thumbstick turns the user, high enough not to trigger while walking. */
export const SNAP_AT = 0.7;
/** A smaller displacement is no movement: a headset on a table jitters. */
export const MOVED_M = 0.001;
/** A smaller rotation is no turn. */
export const TURNED_RAD = 0.002;
/** A smaller rotation needs no glide. */
export const GLIDE_RAD_MIN = 1e-4;
/** How often a missing target is searched again. */
export const SEARCH_INTERVAL_MS = 1_000;
/** Height of a name sign above the eyes: clear of the head. */
export const SIGN_ABOVE_M = 0.25;
/** Farthest distance of a drag: near the horizon one pixel is a kilometre. */
export const REACH_M = 100;
/** Eye height above the floor. ARENA's landmark offset is that of the eyes. */
export const EYE_HEIGHT_M = 1.6;
/** Highest step that walking climbs; a stair in a house is half as high. */
export const STEP_UP_M = 0.6;
/** Depth below the feet at which ground still counts as floor: down a steep ramp, not off a roof. */
export const STEP_DOWN_M = 1;
/** Triangles of a navigation mesh: building its BVH takes 0.1 s. */
export const NAV_TRIANGLES_MAX = 200_000;
/** Half the height of a portal's trigger volume: the eyes' distance above or below its centre. */
export const PORTAL_HEIGHT_M = 2.5;
/** Height of a seated user's eyes above the seat. */
export const SITTING_EYES_M = 0.75;
/** A seat is occupied if a person's head is above it, horizontally nearer than this. */
export const SEAT_TAKEN_M = 0.45;
/** Rate of smooth turning by key or stick. */
export const TURN_DEG_PER_S = 90;
/** Range of the speed setting: slower is standing still, faster outruns the view. */
export const SPEED_M_PER_S = { min: 0.5, max: 12 } as const;
/** Initial speed of the teleport arc: on flat ground it reaches about 8 m. */
export const THROW_M_PER_S = 8;
/** Segments of the teleport arc, the time step of each, and gravity. */
export const ARC = { pieces: 40, stepS: 0.05, gravity: 9.8 } as const;
/**
 * Longest press, and largest angle, that still count as a tap and not as looking around: half a second, a finger's
 * width.
 */
export const TAP_MS = 500;
export const TAP_RAD = 0.02;
/** Reach of a click on the floor, and the step of its search for the hit, half a stair. */
export const TAP_REACH = { farM: 30, stepM: 0.1 } as const;
/** Duration of the vignette's fade: an instant change would flash. */
export const VIGNETTE_MS = 200;
/** How long a reaction is visible. */
export const REACTION_MS = 3_000;
/** How far a reaction rises in {@link REACTION_MS}. */
export const REACTION_RISE_M = 0.9;
/** Size of a reaction: visible across a room without hiding a person. */
export const REACTION_SIZE_M = 0.26;
/** Start of a reaction above the eyes: over the name. */
export const REACTION_ABOVE_M = 0.5;
/** Start of the user's own reaction ahead of the eyes. */
export const REACTION_AHEAD_M = 1.2;
/** Reactions visible at once: more look like snow. */
export const REACTIONS_SHOWN_MAX = 64;
/** Shortest time between two visible reactions of one person. */
export const REACTION_GAP_MS = 150;
/** Laser beams visible at once: more than a large class needs. */
export const LASERS_MAX = 32;
/** Length of the arrows at the origin: visible to a standing user without being in the way. */
export const ORIGIN_MARK_M = 0.3;
/** Length of a beam that hits nothing. */
export const LASER_REACH_M = 60;
/** How often the user's beam is traced and sent: the rate of camera messages. */
export const LASER_INTERVAL_MS = 100;
/** Height of the raised-hand sign above the eyes: over the name. */
export const RAISED_ABOVE_M = 0.62;
/** Files fetched and parsed at once. More slow each other down and delay the nearest. */
export const LOADS_AT_ONCE = 4;
/**
 * Bytes of a model, point cloud or splat with its dependencies. A photogrammetry scan has 100 MB, and a page can hold
 * two.
 */
export const ASSET_BYTES_MAX = 256 * 1_048_576;
/** Bytes of a picture or sound: the audio of an hour-long film, and more than any picture. */
export const MEDIA_BYTES_MAX = 64 * 1_048_576;
/** A fetch fails after this long without data. */
export const ASSET_SILENCE_MS = 30_000;
/** Budget of all textures on a laptop or desktop GPU. */
export const TEXTURE_BYTES_MAX = 1_024 * 1_048_576;
/** Texture budget on a phone or headset, where the browser ends a page at about a gigabyte in all. */
export const TEXTURE_BYTES_MAX_SMALL = 256 * 1_048_576;
/** A device with at most this much memory, in GiB as browsers report it, gets the small budget. */
export const SMALL_DEVICE_GIB = 4;
/** Longest sides to which textures are scaled, largest first. No screen shows more detail than the first. */
export const TEXTURE_SIDES = [4_096, 2_048, 1_024, 512, 256, 128] as const;
/** Objects farther away than this may be unloaded when the budget is exceeded; a room, hall or yard is smaller. */
export const FAR_M = 50;
/** Share of {@link FAR_M} at which an unloaded file loads again, so that a single step doesn't toggle it. */
export const FAR_AGAIN = 0.7;
/** How often unloaded files are checked. */
export const FAR_INTERVAL_MS = 1_000;
/** Size of the marker of a broken file: visible across a room without being in the way. */
export const BROKEN_SIZE_M = 0.4;
/** Gap between the marker and the body that it surrounds, against z-fighting. */
export const BROKEN_APART_M = 0.01;
/** Points of a cloud: a laptop draws them at 60 Hz. */
export const CLOUD_POINTS_MAX = 20_000_000;
/** Nodes, geometries, materials, textures and other listed parts of a three.js scene in total. */
export const THREE_PARTS_MAX = 20_000;
/** Characters of a clip's name and of a pattern for it. A hostile pattern takes 64³ steps on a name, 0.3 ms. */
export const CLIP_NAME_MAX = 64;
/** Quantifiers such as `*` and `+` in one name pattern. */
export const PATTERN_REPEATS_MAX = 3;
/** Morph targets, model parts or joints that one object sets, and meshes of a robot. */
export const PARTS_MAX = 256;
/** Pictures of `multisrc`: one for each side of a box. */
export const SIDES_MAX = 6;
/** Shortest interval of level-of-detail checks. */
export const LOD_INTERVAL_MS_MIN = 100;
/** A finer model is dropped only beyond its distance times this factor, so that a step doesn't toggle it. */
export const LOD_HYSTERESIS = 1.1;
/** Proportions of a body 1.7 m tall. Neck and torso are measured down from the eyes. */
export const BODY = {
  neckM: 0.2,
  torsoM: 0.66,
  /** Distance of a shoulder or hip from the body's middle. */
  shoulderM: 0.19,
  hipM: 0.1,
  /** Height of the ankle above the floor. */
  ankleM: 0.05,
  /** From the hips to the floor. */
  legM: 0.94,
  legBonesM: [0.46, 0.46],
  armBonesM: [0.3, 0.29],
  /** How far the head turns before the chest follows. */
  neckTurnRad: 0.9,
  /** Range of the eyes above the floor: lower is lying, higher is flying. */
  eyesMinM: 0.4,
  eyesMaxM: 1.75,
} as const;
/** The walk cycle. Slower movement is swaying, faster is a jump or flight. */
export const STRIDE = {
  speedMin: 0.15,
  speedFull: 1.4,
  speedMax: 8,
  lengthM: 1.5,
  swingM: 0.3,
  liftM: 0.14,
  changePerS: 8,
} as const;
/** A hand farther from the eyes than this can't be on an arm. */
export const HAND_REACH_M = 1.4;
/** Bytes of an avatar model: five seconds at 32 Mbit/s, and a scene has several people. */
export const BODY_BYTES_MAX = 20e6;
/** Triangles of an avatar model: a phone draws six such models. */
export const BODY_TRIANGLES_MAX = 80_000;
/** VRM avatars drawn at once: each is posed bone by bone. */
export const VRM_PEOPLE_MAX = 6;
/** Wait after acquiring the physics lease for a refusal in flight: two round trips of a bad connection. */
export const DUTY_PROVEN_MS = 500;
/** Wait of a page without motion plane and peers before it simulates by itself: both may still appear. */
export const DUTY_ALONE_MS = 3_000;
/** Bodies that one page publishes on the motion plane: a client's limit less a head, two hands and the lease. */
export const PUBLISHED_BODIES_MAX = MOTION_OWN_MAX - 4;
/** How often a moving body beyond that limit is published by message. */
export const BODY_NEWS_MS = 1_000;
/** Simulated bodies of a scene: a step takes a phone 4 ms. */
export const BODIES_MAX = 512;
/** Physics time step: only fixed steps are deterministic. */
export const STEP_S = 1 / 60;
/** Steps per frame: a page that was in the background doesn't catch up. */
export const STEPS_MAX = 4;
/** Largest gravity along each axis, in m/s²: ten times the Earth's. */
export const GRAVITY_MAX = 100;
/**
 * How often a grabbed body's target is sent to the simulating page. Without news for `HOLD_SILENCE_MS` the body is
 * released.
 */
export const HOLD_SAID_MS = 100;
export const HOLD_SILENCE_MS = 1_000;
/** Time in which a held body reaches its target, in seconds: the interval {@link HOLD_SAID_MS}. */
export const HOLD_S = 0.1;
/** Top speed of a released body, in m/s: as fast as people throw. */
export const THROWN_M_PER_S_MAX = 15;
/** Highest rate of simulated time. */
export const TIME_SPEED_MAX = 4;
/** Largest impulse along each axis, in kg m/s: it accelerates a kilogram to a kilometre per second. */
export const IMPULSE_MAX = 1_000;
/** A body displaced further than this was moved from outside and continues from there. Message rounding is smaller. */
export const TAKEN_M = 0.004;
/** A body rotated further than 2° was moved from outside, as with {@link TAKEN_M}: the cosine of half that angle. */
export const TAKEN_COS = 0.99985;
/** Triangles of a static collision mesh; a larger mesh collides as its bounding box. */
export const COLLIDER_TRIANGLES_MAX = 100_000;
/** Vertices from which a moving body's convex hull is built. */
export const HULL_CORNERS_MAX = 2_000;
/** Collisions published per second: a settling heap has hundreds, more than can be heard. */
export const COLLISIONS_PER_S = 20;
/** How often heads and hands are tested against touch boxes. */
export const TOUCH_INTERVAL_MS = 100;
/** Distance kept when going to a person: that of a conversation. */
export const BEFORE_PERSON_M = 1.4;
/** Free distance between centres of a new arrival and the next person: bodies are 0.5 m wide. */
export const ARRIVAL_ROOM_M = 0.8;
/** Radius around the start in which people arrive: within sight of it, seldom beyond its room's walls. */
export const ARRIVAL_AREA_M = 1.5;
/**
 * Candidate positions before the area grows, candidates in all, and growth of its radius per candidate. The radius
 * reaches 5 m, enough for a hundred people.
 */
export const ARRIVAL_TRIES_PLAIN = 12;
export const ARRIVAL_TRIES = 60;
export const ARRIVAL_GROWTH_M = 0.075;
/** Height difference of heads that still share a floor: children, seats. */
export const OTHER_FLOOR_M = 1;
/** Plain shapes of one appearance are batched from this count on: a batch has a fixed cost. */
export const BATCHED_MIN = 8;
/** Vertices of a shape in a batch: a larger shape costs its time anyway and fills the batch. */
export const BATCHED_VERTICES_MAX = 8_192;
/** The layer, of three.js's 32, of batched originals: cameras don't render it, this package's raycasters test it. */
export const BATCHED_LAYER = 31;
/** A batched shape's appearance is read once in this many frames: at 40 Hz, a change shows within 0.1 s. */
export const BATCHED_TURNS = 4;
/** Frames without movement after which an object counts as resting: one second at 60 Hz. */
export const CALM_FRAMES = 60;
/** A resting object is checked once in this many frames: at 60 Hz movement is noticed at most 50 ms late. */
export const CALM_TURNS = 4;
/** Shadow maps are redrawn at least once in this many frames, even without a known change. */
export const SHADOW_FRAMES = 60;
