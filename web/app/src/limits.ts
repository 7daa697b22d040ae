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
/** Lines of chat that are kept: what one can still scroll through. */
export const CHAT_LINES_MAX = 200;
/** A short message stays this long: two lines are read in less. */
export const TOAST_MS = 6_000;
/** One press of a button moves an object by this. */
export const STEP_M = 0.1;
/** How far before one's eyes a new object appears: all of it is seen. */
export const NEW_AHEAD_M = 3;
