/** Every number that bounds something here, with its reason. */
import { MOTION_OWN_MAX } from "@stoa/client/limits";

/** What an attribute's number may be at most where its schema knows no end: float32 still resolves 8 cm there. */
export const NUMBER_MAX = 1e6;
/** Segments of a geometry: more than this is invisible, and a million freezes the page. */
export const SEGMENTS_MAX = 256;
/** Stiffness and damping of what drives a joint: more of it is a rod, and shakes. */
export const JOINT_STRENGTH_MAX = 1e5;
/**
 * Numbers that are held below what their schema allows, by attribute or `<schema>.<attribute>`: beyond these a page freezes, a graphics card
 * refuses, or somebody's ears hurt, and nobody sees a difference.
 */
export const CAPS: Readonly<Record<string, number>> = {
  anisotropy: 16,
  "blip.duration": 10_000,
  detail: 5,
  "arenaui-card.fontSize": 2,
  "arenaui-card.widthScale": 20,
  "arenaui-prompt.width": 20,
  "button.borderRadius": 5,
  "button.height": 5,
  "button.size": 5,
  "button.width": 5,
  "bloom.resolution": 2_048,
  "bloom.strength": 10,
  "glitch.dtSize": 512,
  "ocean.density": 64,
  "pixel.pixelSize": 64,
  "sao.saoBlurRadius": 64,
  "ssao.kernelRadius": 64,
  "spe-particles.particleCount": 5_000,
  "thickline.lineWidth": 500,
  "env-presets.dressingAmount": 1_000,
  "env-presets.dressingScale": 200,
  "env-presets.fog": 1,
  "env-presets.groundDensity": SEGMENTS_MAX,
  "env-presets.groundFrequency": 1_000,
  "env-presets.groundYScale": 200,
  "env-presets.playArea": 10,
  "env-presets.stageSize": 900,
  p: 64,
  "physx-joint-driver.damping": JOINT_STRENGTH_MAX,
  "physx-joint-driver.stiffness": JOINT_STRENGTH_MAX,
  "portal.radius": 100,
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
/** Lines of one text of a panel: what stands beyond is off any wall. */
export const TEXT_LINES_MAX = 200;
/** Headings, captions and names of buttons: longer ones are no such thing. */
export const PANEL_TITLE_LENGTH_MAX = 200;
/** The plates of a `blip` grow and shrink this long, as in ARENA's page. */
export const BLIP_PLATE_MS = 333;
/** Buttons of one panel: more than one looks through. */
export const BUTTONS_MAX = 32;
/** Entries of the menu in VR and AR: more don't fit before one's eyes. */
export const MENU_ENTRIES_MAX = 12;
/** Panels of one's own stand so far before the eyes: within reach, and far enough to see without strain. */
export const OWN_PANEL_AWAY_M = 0.7;
/** What one types for a scene, and what a form says: ARENA's page cuts both there. */
export const INPUT_TEXT_LENGTH_MAX = 140;
/** Choices of one form. */
export const OPTIONS_MAX = 64;
/** Films of a page that are loaded at once: phones decode no more. */
export const VIDEOS_MAX = 12;
/** Nodes of one model that lead somewhere or are a place: what a list of places still shows. */
export const MODEL_NODES_MAX = 64;
/** Characters of an address or a name in a model. */
export const MODEL_TEXT_LENGTH_MAX = 512;
/** Entries of a list that people read: landmarks, authors. */
export const LIST_MAX = 200;
/** Half the opening of a spot light that casts shadows: at a right angle three.js's view of its shadows is flat. */
export const SPOT_SHADOW_DEGREES_MAX = 89;
/** Points of a `thickline`: all are one draw call, and a scribble has no more. */
export const PATH_POINTS_MAX = 4_096;
/** Values along a particle's life that are read; the shader mixes them down to four. */
export const RAMP_KEYS_MAX = 16;
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
/** What is dropped on the ground farther away than this was meant for here. */
export const DROP_REACH_M = 30;
/** A drag of less than this is a press that trembled. */
export const DRAGGED_FROM_M = 0.01;
/** How long the gizmo's arrows are for their distance from the eyes: a seventh of the view. */
export const GIZMO_VIEW_PART = 0.16;
/** A file's picture is given up where the file isn't shown by then: far things of a large scene come late. */
export const THUMBNAIL_WAIT_MS = 30_000;
/** Frames around what others hold: more are a crowd that builds, and each is a drawing of its own. */
export const HELD_SHOWN_MAX = 48;
/** By how much one drag makes something smaller or larger. */
export const SCALE_FACTOR = { min: 0.01, max: 100 } as const;
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
/** Of an address that isn't followed so much is kept, to be told of. */
export const REFUSED_SHOWN_MAX = 200;
/** Stars of a night sky. */
export const STARS = 1_500;
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
/** What a foot steps onto, in one go: a stair of a house is half as high. */
export const STEP_UP_M = 0.6;
/** How far below the feet a floor still is one: down a steep ramp, not off a roof. */
export const STEP_DOWN_M = 1;
/** Triangles of a navigation mesh: its tree is made in a tenth of a second. */
export const NAV_TRIANGLES_MAX = 200_000;
/** Above and below its middle a portal is walked into: a person fits through. */
export const PORTAL_HEIGHT_M = 2.5;
/** How far the eyes are above what one sits on. */
export const SITTING_EYES_M = 0.75;
/** Whoever sits nearer to a seat than this has it. */
export const SEAT_TAKEN_M = 0.45;
/** Turning by key or stick where it is smooth. */
export const TURN_DEG_PER_S = 90;
/** What one may set as speed: slower is standing, faster nobody sees where they go. */
export const SPEED_M_PER_S = { min: 0.5, max: 12 } as const;
/** An arc of a jump: what one throws this fast lands some 9 m off. */
export const THROW_M_PER_S = 8;
/** Pieces of that arc, and how long each takes. */
export const ARC = { pieces: 40, stepS: 0.05, gravity: 9.8 } as const;
/** A press that lasts longer, or that moves by more of the view, looks around and isn't a tap: half a second, a finger's breadth. */
export const TAP_MS = 500;
export const TAP_RAD = 0.02;
/** Where a click on the floor takes one: as far as one sees where one points, looked for in steps of half a stair. */
export const TAP_REACH = { farM: 30, stepM: 0.1 } as const;
/** The sight narrows and widens in this time: at once it would be a flash. */
export const VIGNETTE_MS = 200;
/** A reaction is seen this long: as long as a nod. */
export const REACTION_MS = 3_000;
/** How far it rises meanwhile. */
export const REACTION_RISE_M = 0.9;
/** How large it is: seen across a room, hides nobody. */
export const REACTION_SIZE_M = 0.26;
/** Above the eyes it begins: over the name. */
export const REACTION_ABOVE_M = 0.5;
/** One's own begins this far ahead. */
export const REACTION_AHEAD_M = 1.2;
/** Reactions that are seen at one time: more is snow. */
export const REACTIONS_SHOWN_MAX = 64;
/** Between two reactions of one person that are shown. */
export const REACTION_GAP_MS = 150;
/** Beams that are seen at one time: more than who points in a large class. */
export const LASERS_MAX = 32;
/** How long the arrows at the origin are: seen from where one stands, in nobody's way. */
export const ORIGIN_MARK_M = 0.3;
/** How far a beam goes where it meets nothing. */
export const LASER_REACH_M = 60;
/** Where one points is looked for and told this often: as often as camera messages go. */
export const LASER_INTERVAL_MS = 100;
/** A raised hand stands this much above the eyes, beside the name. */
export const RAISED_ABOVE_M = 0.62;
/** Files that are fetched and parsed at the same time: more of them make each slower, and the nearest late. */
export const LOADS_AT_ONCE = 4;
/** A model, a cloud, a splat and what it consists of: a photogrammetry scan has 100 MB, and a page bears two such at once. */
export const ASSET_BYTES_MAX = 256 * 1_048_576;
/** A picture or a sound: what a film of an hour's sound has, and more than any picture. */
export const MEDIA_BYTES_MAX = 64 * 1_048_576;
/** A server that says nothing for so long won't. */
export const ASSET_SILENCE_MS = 30_000;
/** What all models' textures may take in the graphics card of a laptop or desktop. */
export const TEXTURE_BYTES_MAX = 1_024 * 1_048_576;
/** The same of a phone or headset, whose browser ends a page that takes a gigabyte in all. */
export const TEXTURE_BYTES_MAX_SMALL = 256 * 1_048_576;
/** A device of less memory than this, in GiB as browsers say it, is a phone to us. */
export const SMALL_DEVICE_GIB = 4;
/** Longest sides that textures are scaled to, the largest first; nothing is sharper than the first on any screen. */
export const TEXTURE_SIDES = [4_096, 2_048, 1_024, 512, 256, 128] as const;
/** What is farther than this may go when there is no room: in a room, a hall or a yard nothing is. */
export const FAR_M = 50;
/** And comes back at this part of that distance, so that a step doesn't load it again. */
export const FAR_AGAIN = 0.7;
/** What was far is looked at this often. */
export const FAR_INTERVAL_MS = 1_000;
/** The marker of what could not be shown: seen across a room, in nobody's way. */
export const BROKEN_SIZE_M = 0.4;
/** How far it is from the body that it stands around: its lines are not within what is painted there. */
export const BROKEN_APART_M = 0.01;
/** Points of a cloud: what a laptop draws sixty times a second. */
export const CLOUD_POINTS_MAX = 20_000_000;
/** Nodes, geometries and materials of a scene of three.js, in all. */
export const THREE_PARTS_MAX = 20_000;
/** Letters of a clip's name and of a pattern for it: a hostile pattern takes 64 to the third power of steps on a name, 0.3 ms. */
export const CLIP_NAME_MAX = 64;
/** `*`, `+` and the like in one pattern for names. */
export const PATTERN_REPEATS_MAX = 3;
/** Morph targets, parts of a model or joints that one object sets. */
export const PARTS_MAX = 256;
/** Pictures of `multisrc`: the six sides of a box. */
export const SIDES_MAX = 6;
/** How far one is from a model that has a finer one is looked at at most so often. */
export const LOD_INTERVAL_MS_MIN = 100;
/** A finer model goes only at this times its distance, so that a step doesn't change it back and forth. */
export const LOD_HYSTERESIS = 1.1;
/** A body's measures, from its eyes down, of somebody who stands 1.7 m tall. */
export const BODY = {
  neckM: 0.2,
  torsoM: 0.66,
  shoulderM: 0.19,
  hipM: 0.1,
  ankleM: 0.05,
  /** From the hips to the floor. */
  legM: 0.94,
  legBonesM: [0.46, 0.46],
  armBonesM: [0.3, 0.29],
  /** How far a head turns before the chest follows at once. */
  neckTurnRad: 0.9,
  /** Eyes above the floor: lower is lying, higher is flying. */
  eyesMinM: 0.4,
  eyesMaxM: 1.75,
} as const;
/** How feet go: slower is swaying, faster a jump or a flight. */
export const STRIDE = {
  speedMin: 0.15,
  speedFull: 1.4,
  speedMax: 8,
  lengthM: 1.5,
  swingM: 0.3,
  liftM: 0.14,
  changePerS: 8,
} as const;
/** A hand farther from the eyes than this is on nobody's arm. */
export const HAND_REACH_M = 1.4;
/** Bytes of a model that is somebody's body: five seconds at 32 Mbit/s, and there are several people. */
export const BODY_BYTES_MAX = 20e6;
/** Triangles of such a model: six of them are what a phone draws. */
export const BODY_TRIANGLES_MAX = 80_000;
/** People who are drawn with a VRM at one time: each is moved bone by bone. */
export const VRM_PEOPLE_MAX = 6;
/** A page that has just got the lease of physics waits so long for a refusal that is on its way: two round trips of a bad line. */
export const DUTY_PROVEN_MS = 500;
/** A page without a motion plane that knows of nobody else waits so long for both before it computes for itself. */
export const DUTY_ALONE_MS = 3_000;
/** Bodies that one page tells of on the motion plane: what a client may move, less a head, two hands and the lease. */
export const BODIES_TOLD_MAX = MOTION_OWN_MAX - 4;
/** A moving body for which there is no room there is told of by messages this often. */
export const BODY_NEWS_MS = 1_000;
/** Bodies in one scene that are computed: a step of them takes a phone 4 ms. */
export const BODIES_MAX = 512;
/** A step of physics: bodies are as deterministic as their steps are even. */
export const STEP_S = 1 / 60;
/** Steps in one frame: a page that was away doesn't catch up. */
export const STEPS_MAX = 4;
/** Free fall on a heavy star, in m/s². */
export const GRAVITY_MAX = 100;
/** Where a held body has to be is said this often to whoever computes, and one of which nothing is said for so long was let go. */
export const HOLD_SAID_MS = 100;
export const HOLD_SILENCE_MS = 1_000;
/** A held body gets where it has to be in about this time, in seconds: the gap between two such messages. */
export const HOLD_S = 0.1;
/** What is let go flies on no faster than one throws, in m/s. */
export const THROWN_M_PER_S_MAX = 15;
/** How fast simulated time runs at most. */
export const TIME_SPEED_MAX = 4;
/** A push, in kg m/s: a ball of a kilogram leaves a scene in a second. */
export const BODY_SPEED_MAX = 1_000;
/** A body that was put so much elsewhere, by somebody or something else, is taken from there: more than messages round to. */
export const TAKEN_M = 0.004;
/** The same of its turn: the cosine of half of 2°. */
export const TAKEN_COS = 0.99985;
/** Triangles of a mesh that bodies fall on as it is: more of them are a box. */
export const COLLIDER_TRIANGLES_MAX = 100_000;
/** Corners of which a moving body's hull is made. */
export const HULL_CORNERS_MAX = 2_000;
/** Collisions that a page tells of in a second: a heap that settles has hundreds, and nobody hears them all. */
export const COLLISIONS_PER_S = 20;
/** Heads and hands in boxes are looked at this often. */
export const TOUCH_INTERVAL_MS = 100;
/** Whoever goes to somebody stands so far before them: as one does who talks. */
export const BEFORE_PERSON_M = 1.4;
/** Whoever enters has so much room to the next person, middle to middle: bodies are 0.5 m wide. */
export const ARRIVAL_ROOM_M = 0.8;
/** People who enter stand at most so far from the start: within sight of it, and seldom beyond its room's walls. */
export const ARRIVAL_AREA_M = 1.5;
/** Spots looked at before the area grows, in all, and by how much it grows with each: 5.1 m at last, where a hundred people have room. */
export const ARRIVAL_TRIES_PLAIN = 12;
export const ARRIVAL_TRIES = 60;
export const ARRIVAL_GROWTH_M = 0.075;
/** Heads are at most so much higher or lower than one's own on the same floor: children, seats. */
export const OTHER_FLOOR_M = 1;
/** Plain shapes of one look are drawn at once from so many on: a batch has a price of its own. */
export const BATCHED_MIN = 8;
/** Corners of a shape that is drawn with others: a larger one takes its time anyway, and room in the batch. */
export const BATCHED_VERTICES_MAX = 8_192;
/** The layer, of three.js's 32, of shapes that are drawn with others: no camera looks at it, rays do. */
export const BATCHED_LAYER = 31;
/** How a plain shape looks is read anew once in so many frames: a tenth of a second at most where frames are few. */
export const BATCHED_TURNS = 4;
/** After so many frames without a move an object of the scene is at rest: a second, where there are sixty. */
export const CALM_FRAMES = 60;
/** What is at rest is looked at once in so many frames: what begins to move does so 50 ms later at most. */
export const CALM_TURNS = 4;
/** Shadows are drawn anew once in so many frames, whatever is known of who moved. */
export const SHADOW_FRAMES = 60;
