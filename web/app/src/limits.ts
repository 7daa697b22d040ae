/** The pages' limits, each with its reason. Most limits of the realm are generated from `spec/limits.json`. */
export {
  ACCOUNT_NAME_BYTES_MAX,
  CHAT_BYTES_MAX,
  DISPLAY_NAME_BYTES_MAX,
  NAME_BYTES_MAX,
  PASSWORD_BYTES_MIN,
} from "@stoa/client/limits";

/** Longest display name in characters: it is drawn over a head. */
export const NAME_LENGTH_MAX = 40;

/** Highest number of people that an owner may set as a scene's limit: more than any realm admits. */
export const CROWD_MAX = 100_000;
/** How often a moderator's list of listening clients is read: soon enough to notice one, and few requests. */
export const LISTENING_PERIOD_MS = 10_000;
/** Lines of chat that are kept: about as many as a person scrolls through. */
export const CHAT_LINES_MAX = 200;
/** How far back the history undoes one person's recent changes. */
export const HOUR_MS = 3_600_000;
/** How long a short message is shown: two lines are read in less. */
export const TOAST_MS = 6_000;
/** How far one press of a button moves an object. */
export const STEP_M = 0.1;
/** How far ahead of the viewer a new object appears: all of it is in view. */
export const NEW_AHEAD_M = 3;
/**
 * Widest window that gets the phone layout, with the toolbar below the scene, in rem. Same value as in
 * `overlay-styles.ts`, `stoa-hint.ts` and `theme.css`.
 */
export const NARROW_REM = 40;
/** Width of one toolbar button with its gap: an icon over the longest label. */
export const TOOL_REM = 4.75;
/** Width next to the toolbar for the home link and the scene's name. */
export const TOOLBAR_BESIDE_REM = 16;
/** Distance at which going to a person or object ends: near enough to talk, not inside of it. */
export const BESIDE_M = 1.5;
/** A height difference above this means another floor. */
export const FLOOR_APART_M = 3;
/** The longest automatic walk. */
export const WALK_S_MAX = 6;
/** Step interval of an automatic walk: the rate at which poses are sent. */
export const WALK_PERIOD_MS = 100;
/** How often distances are updated: more often flickers for readers and floods screen readers. */
export const NEARBY_PERIOD_MS = 2_000;
/** Shortest interval between two announcements: a screen reader reads a line in about this time. */
export const NEWS_PERIOD_MS = 4_000;
/** Shortest interval between two announcements of the same object's changes. */
export const NEWS_AGAIN_MS = 30_000;
/** Names in one announcement; further ones are counted. */
export const NEWS_NAMES_MAX = 3;
/** Announcements that are kept. */
export const NEWS_LINES_MAX = 50;
/** Objects that the text view lists at first: the nearest. */
export const NEARBY_THINGS_MAX = 20;
/** Longest chain of parents that is followed: a deeper one is a cycle or a mistake. */
export const PARENTS_MAX = 16;
/** Broken files that are listed: more would hide the scene. */
export const BROKEN_LISTED_MAX = 12;
/** Lifetimes of an invitation in seconds: a day, a week (the default), a month or a year. */
export const INVITATION_LASTS_S = [86_400, 604_800, 2_592_000, 31_536_000] as const;
/** How many people may use an invitation: any number (0), one or a group. */
export const INVITATION_USES = [0, 1, 10, 30] as const;
/** Durations of a mute or ban in seconds: until it is lifted (0), an hour, a day or a week. */
export const BAN_LASTS_S = [0, 3_600, 86_400, 604_800] as const;
/** Length from which lists of people and scenes get a search field: a longer list can't be scanned by eye. */
export const SEARCH_FROM = 8;
/** Size of a scene's picture in the list in pixels: a card on a wide screen at 1.5 pixels a point. */
export const PICTURE_WIDTH = 480;
export const PICTURE_HEIGHT = 270;
/** The realm accepts no larger picture. */
export const PICTURE_BYTES_MAX = 192 * 1_024;

/** Voices that a page takes at once, and those that head-related transfer functions place. Phones manage fewer. */
export const HEARD_VOICES = { desktop: { hears: 16, hrtfVoices: 8 }, phone: { hears: 6, hrtfVoices: 0 } } as const;
/** Interval of moving the sound of voices to the heads: shorter than a step is heard. */
export const VOICE_PLACING_MS = 50;
/** Time after which a page tries again to load the sound of voices, when a person moves or enters. */
export const VOICE_RETRY_MS = 10_000;
