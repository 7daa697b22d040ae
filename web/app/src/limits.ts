/** What bounds the pages, each with its reason. What the realm demands comes from `spec/limits.json`. */
export {
  ACCOUNT_NAME_BYTES_MAX,
  CHAT_BYTES_MAX,
  DISPLAY_NAME_BYTES_MAX,
  NAME_BYTES_MAX,
  PASSWORD_BYTES_MIN,
} from "@stoa/client/limits";

/** Characters in a name: it stands over a head. */
export const NAME_LENGTH_MAX = 40;

/** The most people that an owner may set as the most at one time: beyond any realm. */
export const CROWD_MAX = 100_000;
/** Lines of chat that are kept: what one can still scroll through. */
export const CHAT_LINES_MAX = 200;
/** What somebody did lately is taken back over so long. */
export const HOUR_MS = 3_600_000;
/** A short message stays this long: two lines are read in less. */
export const TOAST_MS = 6_000;
/** One press of a button moves an object by this. */
export const STEP_M = 0.1;
/** How far before one's eyes a new object appears: all of it is seen. */
export const NEW_AHEAD_M = 3;
/** A window as wide as this or narrower, in times the size of its type, is a phone's: the toolbar lies below the scene. As in `overlay-styles.ts`. */
export const NARROW_REM = 40;
/** How wide one button of the toolbar is, with the gap beside it: an icon over the longest of its labels. */
export const TOOL_REM = 4.75;
/** What stays beside the toolbar for the way home and the name of the scene. */
export const TOOLBAR_BESIDE_REM = 16;
/** How near one comes to what one goes to: near enough to talk, not inside of it. */
export const BESIDE_M = 1.5;
/** What is higher or lower than this is on another floor. */
export const FLOOR_APART_M = 3;
/** No way that one is walked takes longer. */
export const WALK_S_MAX = 6;
/** How often somebody who is walked takes a step: as often as others are told of it. */
export const WALK_PERIOD_MS = 100;
/** How often distances are said anew: more is a flicker for who reads, and noise for who listens. */
export const NEARBY_PERIOD_MS = 2_000;
/** What changed is told at most this often, in one go: a screen reader says a line in about this time. */
export const NEWS_PERIOD_MS = 4_000;
/** One thing that goes on changing is told of this often. */
export const NEWS_AGAIN_MS = 30_000;
/** Names in one line of news; more are counted. */
export const NEWS_NAMES_MAX = 3;
/** Lines of news that are kept. */
export const NEWS_LINES_MAX = 50;
/** Things that the text view lists at first: the nearest. */
export const NEARBY_THINGS_MAX = 20;
/** Objects between an object and the scene: deeper is a ring, or nonsense. */
export const PARENTS_MAX = 16;
/** Files that can't be shown, in the list of them: more would hide the scene. */
export const BROKEN_LISTED_MAX = 12;
/** An invitation lasts a day, a week (chosen at first), a month or a year, in seconds. */
export const INVITATION_LASTS_S = [86_400, 604_800, 2_592_000, 31_536_000] as const;
/** How many may use it: any number (0), one, or a group. */
export const INVITATION_USES = [0, 1, 10, 30] as const;
/** How long somebody is silent or out: until it is lifted (0), an hour, a day, a week. */
export const BAN_LASTS_S = [0, 3_600, 86_400, 604_800] as const;
/** From so many on, people and scenes are found by typing: the list no longer fits the eye. */
export const SEARCH_FROM = 8;
/** A scene's picture in the list: as wide and high as its card on a wide screen, for screens of one and a half points a pixel. */
export const PICTURE_WIDTH = 480;
export const PICTURE_HEIGHT = 270;
/** The realm takes no larger one. */
export const PICTURE_BYTES_MAX = 192 * 1_024;
