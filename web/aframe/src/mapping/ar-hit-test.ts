/** ARENA's `ar-hit-test`, an option of a scene: a mark on the room, and presses there. */
import { fileUrl } from "../safe-url.ts";
import { type Bag, bag, flag, text, within } from "../values.ts";

/** Of the settings of `stoa-placing` those that a scene decides. */
export interface MarkSettings {
  readonly tells: boolean;
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

/** A picture of ARENA's own pages: the ring stands for it. */
const ARENAS = /(^|\/)static\/images\/reticle-gray\.png$/;
const SIZE_M = 0.5;
const SIZE_MAX_M = 10;

/** What a scene's options say. */
export function markOf(value: unknown, base: string): MarkSettings {
  const options: Bag = bag(value) ?? {};
  const tells = bag(value) !== undefined && flag(options.enabled) !== false;
  const isOwn = typeof options.src === "string" && !ARENAS.test(options.src);
  const [width, height] = (text(options.mapSize, 64) ?? "").trim().split(/\s+/);
  const src = tells && isOwn ? (fileUrl(options.src, base) ?? "") : "";
  return { tells, src, width: metres(width), height: metres(height ?? width) };
}

function metres(value: string | undefined): number {
  const size = value === undefined || value === "" ? undefined : within(Number(value), 0, SIZE_MAX_M);
  return size === undefined || size === 0 ? SIZE_M : size;
}
