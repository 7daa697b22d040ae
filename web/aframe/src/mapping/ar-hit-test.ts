/** Maps ARENA's scene option `ar-hit-test`, a reticle on the room's surfaces with press events, to `stoa-placing`. */
import { fileUrl } from "../safe-url.ts";
import { bag, flag, type JsonObject, text, within } from "../values.ts";

/** The settings of `stoa-placing` that a scene sets. */
export interface ArReticleSettings {
  readonly tells: boolean;
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

/** The reticle picture of ARENA's own pages, for which `stoa-placing` draws its ring. */
const ARENAS = /(^|\/)static\/images\/reticle-gray\.png$/;
const SIZE_M = 0.5;
const SIZE_MAX_M = 10;

/** Reads the scene option. */
export function markOf(value: unknown, base: string): ArReticleSettings {
  const options: JsonObject = bag(value) ?? {};
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
