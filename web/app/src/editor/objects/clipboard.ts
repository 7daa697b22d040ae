/**
 * Copied objects, kept in the browser's storage so that they can be pasted into another scene. Pure except for the
 * storage and random ids.
 */
import { type Attributes, mergeAttributes, type SceneObject } from "@stoa/client";
import { descendantsOf, type ObjectChangeRequest } from "./changes.ts";
import { newId } from "./ids.ts";
import { numbersOf } from "./object-fields.ts";

export interface CopiedObject {
  readonly objectId: string;
  readonly attributes: Attributes;
}

/** Objects that were copied together, parents before children. The stored JSON uses the key `things`. */
export interface ObjectClip {
  readonly things: readonly CopiedObject[];
}

/** Storage of a clip. */
export interface ClipStorage {
  write(clip: ObjectClip): void;
  read(): ObjectClip | undefined;
}

const KEY = "stoa-clipboard";

/**
 * The clipboard in `localStorage`. The page's own last clip counts if it could not be stored, or the storage can't be
 * read.
 */
export function browserClipboard(storage: Pick<Storage, "getItem" | "setItem">): ClipStorage {
  let last: ObjectClip | undefined;
  /** The stored text that is older than the last clip, which could not be stored. */
  let outdated: string | null | undefined;
  return {
    write(clip) {
      last = clip;
      try {
        outdated = storage.getItem(KEY);
        storage.setItem(KEY, JSON.stringify(clip));
        outdated = undefined;
      } catch {
        // The clip is too large, or the window is private.
      }
    },
    read() {
      try {
        const stored = storage.getItem(KEY);
        return stored === outdated ? last : (parsed(stored) ?? last);
      } catch {
        return last;
      }
    },
  };
}

function parsed(text: string | null): ObjectClip | undefined {
  if (text === null) return undefined;
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || !("things" in value) || !Array.isArray(value.things))
    return undefined;
  const things = value.things.filter(isCopiedObject);
  return things.length === 0 ? undefined : { things };
}

function isCopiedObject(value: unknown): value is CopiedObject {
  return (
    typeof value === "object" &&
    value !== null &&
    "objectId" in value &&
    typeof value.objectId === "string" &&
    "attributes" in value &&
    typeof value.attributes === "object" &&
    value.attributes !== null
  );
}

/** Copies objects with all descendants. */
export function clipOf(objects: ReadonlyMap<string, SceneObject>, ids: readonly string[]): ObjectClip {
  const copied = new Map<string, CopiedObject>();
  for (const id of ids) {
    const root = objects.get(id);
    if (root === undefined || root.type !== "object") continue;
    for (const { objectId, attributes } of [root, ...descendantsOf(objects, id)])
      copied.set(objectId, { objectId, attributes });
  }
  // A child that was selected together with its parent is sorted after it.
  const sorted = [...copied.values()].sort((a, b) => depthOf(copied, a) - depthOf(copied, b));
  return { things: sorted };
}

function depthOf(copied: ReadonlyMap<string, CopiedObject>, object: CopiedObject): number {
  let depth = 0;
  for (let at: CopiedObject | undefined = object; at !== undefined && depth < copied.size; depth += 1)
    at = typeof at.attributes.parent === "string" ? copied.get(at.attributes.parent) : undefined;
  return depth;
}

/**
 * The changes that recreate a clip under new ids. `roots` are the new ids of the objects without a parent in the clip;
 * only these are shifted and unlocked.
 */
export function pasted(
  { things }: ObjectClip,
  { shift, has }: { readonly shift: { x: number; y: number; z: number }; readonly has: (objectId: string) => boolean },
): { readonly changes: readonly ObjectChangeRequest[]; readonly roots: readonly string[] } {
  const names = new Map(things.map(({ objectId, attributes }) => [objectId, newId(stemOf(objectId, attributes))]));
  const roots: string[] = [];
  const changes = things.map(({ objectId, attributes }): ObjectChangeRequest => {
    const id = names.get(objectId) ?? newId("object");
    const parent = typeof attributes.parent === "string" ? attributes.parent : "";
    const renamed = names.get(parent);
    if (renamed !== undefined) return { kind: "create", objectId: id, attributes: { ...attributes, parent: renamed } };
    roots.push(id);
    const { x, y, z } = numbersOf(attributes, "position");
    const moved = mergeAttributes(attributes, {
      position: { x: round(x + shift.x), y: round(y + shift.y), z: round(z + shift.z) },
      // The parent may not exist in the scene that is pasted into.
      ...(parent !== "" && !has(parent) && { parent: null }),
      locked: null,
    });
    return { kind: "create", objectId: id, attributes: moved };
  });
  return { changes, roots };
}

/** The stem of a generated id, `box` of `box-x7k2p1`; for any other id the object's type. */
function stemOf(objectId: string, { object_type: type }: Attributes): unknown {
  const stem = objectId.replace(/-[0-9a-z]{6}$/, "");
  return stem === objectId && typeof type === "string" ? type : stem;
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000 || 0;
}
