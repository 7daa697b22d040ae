/** What bounds the editor, each with its reason. How large files may be is said by the realm. */

/** Pixels along a texture's longer side: what a headset shows of one thing at arm's length; each step up takes four times the memory. */
export const TEXTURE_PIXELS_MAX = 2_048;
/** Of a picture as WebP, 0 to 1: nobody tells it from the original beside it. */
export const TEXTURE_QUALITY = 0.86;
/** Models beyond this are not optimised: the worker holds a model several times over, and a page gets about 4 GB. */
export const OPTIMISED_BYTES_MAX = 256 * 1_024 * 1_024;
/** An optimised form takes the original's place where it is smaller by this factor at least; else the change is not worth a second load. */
export const WORTHWHILE = 0.95;
/** The worker has as long; then the original stays. */
export const OPTIMISE_MS = 10 * 60_000;
/** Faults of a model that are listed: the first few say what is wrong. */
export const FAULTS_SHOWN = 3;
/** Side of a thumbnail, in pixels: a list shows it at half of that on a fine screen. */
export const THUMBNAIL_PIXELS = 192;
/** Of one's files so many are shown, the newest first: each has a picture, and more are found by searching. */
export const FILES_SHOWN_MAX = 24;
/** Uploads that run at once: the realm takes two of one account. */
export const UPLOADS_AT_ONCE = 2;
/** Files taken in one go: more were dropped by mistake. */
export const DROPPED_FILES_MAX = 64;
/** Bytes of a file's name that are kept: paths have at most 512 in all. */
export const FILE_NAME_LENGTH_MAX = 80;
/** How far apart things stand that were dropped together. */
export const DROP_APART_M = 1.2;
/** The longer side of a picture or video that was dropped. */
export const PICTURE_SIDE_M = 1.6;
/** A free place for something new is looked for so far around, in steps of so much: it is still before one's eyes. */
export const FREE_PLACE_REACH_M = 4;
export const FREE_PLACE_STEP_M = 0.25;
/** So far apart two things at least stand: both are seen, and neither is in the other. */
export const FREE_PLACE_APART_M = 0.05;
/** What is longer and wider than this is a floor or a room, and things are put into it. */
export const ROOM_SIDE_M = 4;
/** How large something is taken to be of which nothing is known. */
export const UNKNOWN_SIDE_M = 0.5;
/** How far a copy stands from its original: both are seen. */
export const COPY_APART_M = 0.5;
/** Things that are copied, grouped or removed in one go: the client holds 256 changes that the realm has not acknowledged. */
export const AT_ONCE_MAX = 200;
/** Shapes that the menu in VR has: it has twelve entries, with all else that one can do there. */
export const HEADSET_SHAPES_MAX = 4;
/** Rows of the tree that are drawn at once: thousands would freeze the page. */
export const TREE_ROWS_MAX = 300;
/** Places and doors that are taken out of one glTF file: what a list of places still shows. */
export const OMI_NODES_MAX = 64;
/** Characters of a title or an address in it. */
export const OMI_TEXT_MAX = 512;
