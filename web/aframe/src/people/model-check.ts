/** Why a model is nobody's body, in numbers that people understand. */
import { AssetError, TooLargeError } from "../assets/asset-error.ts";
import type { AssetKind } from "../assets/library.ts";

/** Why a model is nobody's body; `found` and `limit` in MB or triangles. */
export interface ModelRefusal {
  readonly reason: "away" | "bytes" | "triangles" | "broken";
  readonly found: number;
  readonly limit: number;
}

const MB = 1e6;

/** Whether an address is that of a VRM. */
export function isVrm(model: string): boolean {
  return /\.vrm($|[?#])/i.test(model);
}

/** Whether the realm has looked at what lies at a path of its own: only by such names it takes models for models. */
export function isLookedAt(path: string): boolean {
  return /\.(glb|gltf|vrm)$/i.test(path) && !path.startsWith("/static/");
}

/** What kind of file somebody's body is. */
export function bodyKind(model: string): AssetKind {
  return isVrm(model) ? "vrm" : "head";
}

/** The refusal in an error; what fails otherwise is broken. */
export function refusalOf(error: unknown): ModelRefusal {
  if (error instanceof TooLargeError) {
    const { unit, found, limit } = error;
    if (unit === "triangles") return { reason: unit, found, limit };
    return { reason: unit, found: Math.ceil(found / MB), limit: limit / MB };
  }
  const isAway = error instanceof AssetError && error.code !== "unreadable";
  return { reason: isAway ? "away" : "broken", found: 0, limit: 0 };
}
