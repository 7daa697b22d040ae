/** Checks a scene's JSON in three.js's format before three.js parses it. Pure. */
import { CAPS, NUMBER_MAX, SEGMENTS_MAX } from "../limits.ts";
import { bag, type JsonObject } from "../values.ts";
import { AssetError } from "./asset-error.ts";

/** The lists of a scene's JSON whose entries count towards the limit. */
const LISTS = ["geometries", "materials", "textures", "images", "shapes", "skeletons", "animations", "nodes"] as const;
/** Materials with GPU code. */
const CODE = /shader|node/i;
/** Geometry settings that set a subdivision. */
const PIECES = /segments|steps|^detail$|^[pq]$/i;

/**
 * Clamps geometry numbers and replaces materials with GPU code. `partsMax` limits all lists and nodes together. Errors:
 * {@link AssetError}.
 */
export function boundedScene(text: string, partsMax: number): JsonObject {
  const json = bag(parse(text));
  if (!json || !bag(json.object)) throw new AssetError("unreadable", "not a three.js scene");
  const lists = LISTS.map((name) => [name, list(json[name])] as const);
  const parts = lists.reduce((sum, [, items]) => sum + items.length, countNodes(json.object, partsMax));
  if (parts > partsMax) throw new AssetError("too-large", `${parts} parts, at most ${partsMax}`);
  return {
    ...json,
    ...Object.fromEntries(lists.filter(([name]) => name in json)),
    geometries: list(json.geometries).map(boundedGeometry),
    materials: list(json.materials).map(plainMaterial),
  };
}

/** The URLs of the scene's pictures. */
export function picturesOf(json: JsonObject): readonly string[] {
  return list(json.images).flatMap((image) => [bag(image)?.url].flat().filter((url) => typeof url === "string"));
}

/** Nodes of the tree; counting stops beyond `max`. */
function countNodes(object: unknown, max: number): number {
  const waiting: unknown[] = [object];
  let count = 0;
  while (waiting.length > 0 && count <= max) {
    count += 1;
    for (const child of list(bag(waiting.pop())?.children)) waiting.push(child);
  }
  return count;
}

function boundedGeometry(geometry: unknown): unknown {
  const settings = bag(geometry);
  return settings && Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, bounded(key, value)]));
}

function bounded(key: string, value: unknown): unknown {
  if (typeof value !== "number") return value;
  if (PIECES.test(key)) return Math.min(CAPS[key] ?? SEGMENTS_MAX, Math.max(0, value));
  return Math.min(NUMBER_MAX, Math.max(-NUMBER_MAX, value));
}

function plainMaterial(material: unknown): unknown {
  const settings = bag(material);
  if (!settings || !CODE.test(String(settings.type))) return settings;
  return { uuid: settings.uuid, type: "MeshStandardMaterial" };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AssetError("unreadable", "invalid JSON");
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
