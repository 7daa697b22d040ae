/** Explains why a model can't be an avatar, in units that people understand, and finds an avatar file's kind. */
import { AssetError, TooLargeError } from "../assets/asset-error.ts";
import type { AssetKind } from "../assets/library.ts";

/** The reason why a model can't be an avatar; `found` and `limit` in MB or triangles. */
export interface ModelRefusal {
  readonly reason: "away" | "bytes" | "triangles" | "broken";
  readonly found: number;
  readonly limit: number;
}

const MB = 1e6;

/** Whether the URL names a VRM. */
export function isVrm(model: string): boolean {
  return /\.vrm($|[?#])/i.test(model);
}

/** Whether the realm has validated the file at this path: avatar models by extension, but none of `/static/`. */
export function isLookedAt(path: string): boolean {
  return /\.(glb|gltf|vrm)$/i.test(path) && !path.startsWith("/static/");
}

/** The asset kind of an avatar model. */
export function bodyKind(model: string): AssetKind {
  return isVrm(model) ? "vrm" : "head";
}

/** The refusal for a loading error; an unknown error counts as broken. */
export function refusalOf(error: unknown): ModelRefusal {
  if (error instanceof TooLargeError) {
    const { unit, found, limit } = error;
    if (unit === "triangles") return { reason: unit, found, limit };
    return { reason: unit, found: Math.ceil(found / MB), limit: limit / MB };
  }
  const isAway = error instanceof AssetError && error.code !== "unreadable";
  return { reason: isAway ? "away" : "broken", found: 0, limit: 0 };
}
