/** Enter a scene of a Stoa realm: a snapshot first, then the stream. No DOM and no three.js in here. */
export type * from "./types.ts";
