/** The editor's limits, each with its reason. The realm sets the limits on file sizes. */

/**
 * Pixels of a texture's longer side: as many as a headset shows of one object at arm's length. Doubling takes four
 * times the memory.
 */
export const TEXTURE_PIXELS_MAX = 2_048;
/** WebP quality of a texture, 0 to 1: no visible difference in a comparison side by side. */
export const TEXTURE_QUALITY = 0.86;
/**
 * Larger models are neither checked nor optimised: the worker holds several copies of a model, and a page gets about
 * 4 GB.
 */
export const OPTIMISED_BYTES_MAX = 256 * 1_024 * 1_024;
/**
 * An optimised file replaces the original if its size is at most this fraction of the original's. Otherwise a second
 * load isn't worth it.
 */
export const WORTHWHILE = 0.95;
/** Time limit of the worker. After it the original stays; a model whose check isn't done by then is refused. */
export const OPTIMISE_MS = 10 * 60_000;
/** Faults of a model that are listed: the first few identify the problem. */
export const FAULTS_SHOWN = 3;
/** Longer side of a thumbnail in pixels: twice its size in the list of files, for fine screens. */
export const THUMBNAIL_PIXELS = 192;
/** Own files that are shown, newest first: each may load a thumbnail, and search finds the rest. */
export const FILES_SHOWN_MAX = 24;
/** Parallel uploads: the realm accepts two for one account. */
export const UPLOADS_AT_ONCE = 2;
/** Files accepted in one drop or selection: a larger one was a mistake. */
export const DROPPED_FILES_MAX = 64;
/** Bytes of a file's name without extension that are kept: the realm limits a path to 512 bytes. */
export const FILE_NAME_LENGTH_MAX = 80;
/** Distance between objects that were dropped together. */
export const DROP_APART_M = 1.2;
/** Longer side of a dropped picture or video. */
export const PICTURE_SIDE_M = 1.6;
/** Reach to each side and backwards, and step, of the search for a free position: the object stays in view. */
export const FREE_PLACE_REACH_M = 4;
export const FREE_PLACE_STEP_M = 0.25;
/** Smallest gap between two objects: both are visible, and neither is inside the other. */
export const FREE_PLACE_APART_M = 0.05;
/** An object longer and wider than this counts as a floor or a room, and objects may be put into it. */
export const ROOM_SIDE_M = 4;
/** Assumed side of an object whose size is unknown. */
export const UNKNOWN_SIDE_M = 0.5;
/** Distance of a copy from its original: both are visible. */
export const COPY_APART_M = 0.5;
/** Object changes sent in one batch: the client holds at most 256 unacknowledged changes. */
export const AT_ONCE_MAX = 200;
/** Shapes in the VR menu: it has twelve entries in all. */
export const HEADSET_SHAPES_MAX = 4;
/** Tree rows that are rendered: thousands would freeze the page. */
export const TREE_ROWS_MAX = 300;
/** Spots and portals imported from one glTF file: a list of spots can still show them. */
export const OMI_NODES_MAX = 64;
/** Characters of a title or an address in OMI nodes. */
export const OMI_TEXT_MAX = 512;
