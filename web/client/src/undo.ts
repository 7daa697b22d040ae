/**
 * Plans undo and redo against the scene's present state. A plan reverts only values that are unchanged since, and lists
 * the rest. Redo is the undo of an undo. No I/O, no clock.
 */
import { isJsonObject, type JsonObject, sameJson } from "./json-values.ts";
import { mergeAttributes } from "./merge.ts";
import type { Attributes, ChangeOptions, Left, SceneObject } from "./types.ts";

/** Old and new value of one attribute's leaf; `undefined` for an absent one. */
export interface LeafChange {
  readonly path: readonly string[];
  readonly was: unknown;
  readonly is: unknown;
}

/** A change of the scene by this person. */
export type UndoableChange =
  | { readonly kind: "changed"; readonly objectId: string; readonly leaves: readonly LeafChange[] }
  /** Created objects, parents first. */
  | { readonly kind: "came"; readonly objects: readonly SceneObject[] }
  /** Removed objects, parents first. */
  | { readonly kind: "went"; readonly objects: readonly SceneObject[] };

export type RealmChangeRequest =
  | {
      readonly kind: "create" | "update";
      readonly objectId: string;
      readonly attributes: Attributes;
      readonly options: ChangeOptions;
    }
  | { readonly kind: "remove"; readonly objectId: string };

/** Requests to send, objects left unchanged, and the resulting changes, whose undo is the redo. */
export interface UndoPlan {
  readonly requests: readonly RealmChangeRequest[];
  readonly left: readonly Left[];
  readonly done: readonly UndoableChange[];
}

type ObjectsById = ReadonlyMap<string, SceneObject>;
const NOTHING: UndoPlan = { requests: [], left: [], done: [] };

/** The leaves of attributes, by path as JSON. */
function leavesOf(attributes: JsonObject, path: readonly string[] = []): Map<string, LeafChange> {
  const leaves = new Map<string, LeafChange>();
  for (const [key, value] of Object.entries(attributes)) {
    const here = [...path, key];
    if (isJsonObject(value) && Object.keys(value).length > 0) {
      for (const [text, leaf] of leavesOf(value, here)) leaves.set(text, leaf);
    } else leaves.set(JSON.stringify(here), { path: here, was: value, is: value });
  }
  return leaves;
}

/** The leaves that differ between two sets of attributes. */
export function leavesBetween(before: Attributes, after: Attributes): readonly LeafChange[] {
  const [old, now] = [leavesOf(before), leavesOf(after)];
  const all = new Map([...old, ...now]);
  const changes = [...all].map(([text, { path }]) => ({ path, was: old.get(text)?.was, is: now.get(text)?.is }));
  return changes.filter(({ was, is }) => !sameJson(was, is));
}

/** Joins two changes of one object: old values of the first, new values of the second. */
export function leavesTogether(first: readonly LeafChange[], second: readonly LeafChange[]): readonly LeafChange[] {
  const both = new Map(first.map((leaf) => [JSON.stringify(leaf.path), leaf]));
  for (const leaf of second) {
    const text = JSON.stringify(leaf.path);
    both.set(text, { ...leaf, was: both.has(text) ? both.get(text)?.was : leaf.was });
  }
  return [...both.values()].filter(({ was, is }) => !sameJson(was, is));
}

/** An object and its descendants, parents first. */
export function withDescendants(objects: ObjectsById, objectId: string): readonly SceneObject[] {
  const root = objects.get(objectId);
  if (root === undefined) return [];
  const found = new Map([[objectId, root]]);
  for (const above of found.keys()) {
    for (const object of objects.values()) {
      if (object.attributes.parent === above && !found.has(object.objectId)) found.set(object.objectId, object);
    }
  }
  return [...found.values()];
}

/** The inverse change. */
function inverted(change: UndoableChange): UndoableChange {
  switch (change.kind) {
    case "came":
      return { kind: "went", objects: change.objects };
    case "went":
      return { kind: "came", objects: change.objects };
    case "changed":
      return {
        ...change,
        leaves: change.leaves.map(({ path, was, is }) => ({ path, was: is, is: was })),
      };
  }
}

/** Plans the undo of a step, its last change first. */
export function planUndo(step: readonly UndoableChange[], objects: ObjectsById): UndoPlan {
  // Each change is planned on the result of the plan's earlier requests.
  const now = new Map(objects);
  const plans = [...step].reverse().map((change) => {
    const plan = planOne(change, now);
    for (const request of plan.requests) foresee(now, request);
    return plan;
  });
  return {
    requests: plans.flatMap(({ requests }) => requests),
    left: plans.flatMap(({ left }) => left),
    done: plans.flatMap(({ done }) => done),
  };
}

function planOne(change: UndoableChange, objects: ObjectsById): UndoPlan {
  switch (change.kind) {
    case "changed":
      return planLeaves(change.objectId, change.leaves, objects);
    case "came":
      return planRemoval(change.objects, objects);
    case "went":
      return planReturn(change.objects, objects);
  }
}

function planLeaves(objectId: string, leaves: readonly LeafChange[], objects: ObjectsById): UndoPlan {
  const object = objects.get(objectId);
  if (object === undefined) return { ...NOTHING, left: [{ objectId, why: "gone", keys: [] }] };
  const isMine = ({ path, is }: LeafChange) => sameJson(at(object.attributes, path), is);
  const mine = leaves.filter(isMine);
  const keys = new Set(leaves.filter((leaf) => !isMine(leaf)).map(({ path }) => path[0] ?? ""));
  const left: readonly Left[] = keys.size === 0 ? [] : [{ objectId, why: "changed", keys: [...keys].sort() }];
  if (mine.length === 0) return { ...NOTHING, left };
  const change: UndoableChange = { kind: "changed", objectId, leaves: mine };
  const request: RealmChangeRequest = { kind: "update", objectId, attributes: patchOf(mine), options: {} };
  return { requests: [request], left, done: [inverted(change)] };
}

function planRemoval(came: readonly SceneObject[], objects: ObjectsById): UndoPlan {
  const [root] = came;
  if (root === undefined) return NOTHING;
  const { objectId } = root;
  const there = withDescendants(objects, objectId);
  if (there.length === 0) return { ...NOTHING, left: [{ objectId, why: "gone", keys: [] }] };
  const known = new Map(came.map((object) => [object.objectId, object]));
  if (there.some((object) => !known.has(object.objectId)))
    return { ...NOTHING, left: [{ objectId, why: "carries", keys: [] }] };
  const other = there.find(({ objectId: id, attributes }) => !sameJson(known.get(id)?.attributes, attributes));
  if (other !== undefined) {
    const keys = leavesBetween(known.get(other.objectId)?.attributes ?? {}, other.attributes).map(
      ({ path }) => path[0] ?? "",
    );
    return { ...NOTHING, left: [{ objectId: other.objectId, why: "changed", keys: [...new Set(keys)].sort() }] };
  }
  return { requests: [{ kind: "remove", objectId }], left: [], done: [{ kind: "went", objects: there }] };
}

function planReturn(went: readonly SceneObject[], objects: ObjectsById): UndoPlan {
  const [root] = went;
  if (root === undefined) return NOTHING;
  const { objectId, attributes } = root;
  if (objects.has(objectId)) return { ...NOTHING, left: [{ objectId, why: "there", keys: [] }] };
  const { parent } = attributes;
  if (typeof parent === "string" && !objects.has(parent))
    return { ...NOTHING, left: [{ objectId, why: "hangs", keys: [] }] };
  const back = went.filter((object) => !objects.has(object.objectId));
  const requests = back.map(
    ({ objectId: id, attributes: with_, type, persist }): RealmChangeRequest => ({
      kind: "create",
      objectId: id,
      attributes: with_,
      options: { type, persist },
    }),
  );
  return { requests, left: [], done: [{ kind: "came", objects: back }] };
}

/** The leaf at the end of a path. An empty object is a leaf, an object with keys is not. */
function at(attributes: Attributes, path: readonly string[]): unknown {
  let value: unknown = attributes;
  for (const key of path) value = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(value) && Object.keys(value).length > 0 ? undefined : value;
}

/** The update that reverts leaves. Removals are first: a later one would discard the keys set below its path. */
function patchOf(leaves: readonly LeafChange[]): Attributes {
  const patch: Record<string, unknown> = {};
  for (const { path, was } of leaves.filter((leaf) => leaf.was === undefined)) put(patch, path, was ?? null);
  for (const { path, was } of leaves.filter((leaf) => leaf.was !== undefined)) put(patch, path, was);
  return patch;
}

function put(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    into[key] = value;
    return;
  }
  const old = into[key];
  const below: Record<string, unknown> = isJsonObject(old) ? { ...old } : {};
  put(below, rest, value);
  into[key] = below;
}

function foresee(objects: Map<string, SceneObject>, request: RealmChangeRequest): void {
  const { objectId } = request;
  if (request.kind === "remove") {
    for (const object of withDescendants(objects, objectId)) objects.delete(object.objectId);
    return;
  }
  const { type = "object", persist = false } = request.options;
  const old = objects.get(objectId);
  if (request.kind === "create") objects.set(objectId, { objectId, type, persist, attributes: request.attributes });
  else if (old !== undefined)
    objects.set(objectId, { ...old, attributes: mergeAttributes(old.attributes, request.attributes) });
}
