/**
 * Carries out the editor's actions on the selected objects. The elements draw the selection and call these methods;
 * `changes` sends every change.
 */
import type { Body, Move } from "@stoa/aframe";
import type { Attributes, Person, SceneObject, SceneSession } from "@stoa/client";
import { NEW_AHEAD_M } from "../limits.ts";
import { hintOf } from "../scene/board-hint.ts";
import { idOf, nameByUse } from "../scene/object-names.ts";
import type { ScenePoint, SceneViewController } from "../scene/stage.ts";
import { errorText } from "../texts/error-texts.ts";
import { texts } from "../texts/texts.ts";
import { type MainFileReplacement, mainFile } from "./files/main-file.ts";
import { AT_ONCE_MAX, COPY_APART_M } from "./limits.ts";
import { descendantsOf, type ObjectChangeRequest, ObjectChangeSender } from "./objects/changes.ts";
import { type ClipStorage, clipOf, type ObjectClip, pasted } from "./objects/clipboard.ts";
import { bodyOf, freePosition } from "./objects/free-position.ts";
import { newId } from "./objects/ids.ts";
import { type Axis, isBag, numbersOf, withNumber } from "./objects/object-fields.ts";
import { renamed } from "./objects/rename-object.ts";

const words = texts.edit;
const ORIGIN: ScenePoint = { x: 0, y: 0, z: 0 };
const POSE_KEYS = ["position", "rotation", "scale"] as const;

/** A new object and the height of its centre above the floor. */
export interface NewObject {
  readonly attributes: Attributes;
  readonly heightM: number;
}

/** The surroundings that the editor's element provides. */
export interface EditorHost {
  readonly session: SceneSession | undefined;
  readonly stage: SceneViewController | undefined;
  readonly selected: readonly string[];
  choose(objectIds: readonly string[]): void;
  /** Shows an error message; an empty text clears it. */
  showError(message: string): void;
}

/** The editor without its user interface. */
export class Editor {
  readonly changes: ObjectChangeSender;
  readonly #host: EditorHost;
  readonly #clipboard: ClipStorage;

  constructor(host: EditorHost, clipboard: ClipStorage) {
    this.#host = host;
    this.#clipboard = clipboard;
    this.changes = new ObjectChangeSender(() => host.session);
  }

  /** All objects of the scene by id. */
  get objects(): ReadonlyMap<string, SceneObject> {
    return this.#host.session?.objects ?? new Map();
  }

  /** The selected objects that still exist. */
  get chosen(): readonly SceneObject[] {
    return this.#host.selected.flatMap((id) => this.objects.get(id) ?? []);
  }

  /** The selected objects that aren't locked. */
  get #free(): readonly SceneObject[] {
    return this.chosen.filter((object) => !isLocked(object));
  }

  /** The unlocked selected objects without a selected ancestor. Changes to these carry over to their descendants. */
  get #roots(): readonly SceneObject[] {
    const ids = new Set(this.#host.selected);
    const isBelow = ({ attributes }: SceneObject): boolean => {
      let parent = attributes.parent;
      for (let depth = 0; typeof parent === "string" && depth < 64; depth += 1) {
        if (ids.has(parent)) return true;
        parent = this.objects.get(parent)?.attributes.parent;
      }
      return false;
    };
    return this.#free.filter((object) => !isBelow(object));
  }

  /** Another person who holds the object. */
  heldBy(objectId: string): Person | undefined {
    return [...(this.#host.session?.people.values() ?? [])].find((person) => person.holds?.includes(objectId));
  }

  /** Adds an object ahead of the viewer and selects it. */
  async add(made: NewObject & { readonly stem?: string }): Promise<string | undefined> {
    const objectId = newId(made.stem ?? made.attributes.object_type);
    if (!(await this.addAs(objectId, made))) return undefined;
    this.#host.choose([objectId]);
    return objectId;
  }

  /** Adds an object under a given id without selecting it: an upload may end long after it was requested. */
  addAs(objectId: string, { attributes, heightM }: NewObject, at?: ScenePoint): Promise<boolean> {
    const { x, y, z } = this.#freePosition(bodyOf(attributes, heightM), at);
    const placed = { ...attributes, position: { x, y: y + heightM, z } };
    return this.#apply([{ kind: "create", objectId, attributes: placed }]);
  }

  /** A free position at or near the given one, by default ahead of the viewer. Without a 3D view, the given one. */
  #freePosition(body: Body, at?: ScenePoint): ScenePoint {
    const { stage } = this.#host;
    if (stage === undefined) return at ?? ORIGIN;
    const [near, far] = [stage.placeAhead(NEW_AHEAD_M), stage.placeAhead(NEW_AHEAD_M + 1)];
    const ahead = { x: far.x - near.x, z: far.z - near.z };
    return freePosition({ wanted: at ?? near, body, ahead }, stage.bodies());
  }

  /** The reason why the typed name is refused; `undefined` if it is accepted. */
  whyNoName(object: SceneObject, typed: string): string | undefined {
    const id = idOf(typed);
    if (id === "") return words.names.none;
    if (isBag(object.attributes.landmark) || id === object.objectId) return undefined;
    if (isLocked(object)) return words.locked;
    return this.objects.has(id) ? words.names.taken(id) : undefined;
  }

  /**
   * Renames an object. A landmark gets another label; any other object gets another id, and references to it are
   * updated.
   */
  async rename(object: SceneObject, typed: string): Promise<boolean> {
    const { objectId, attributes } = object;
    if (this.whyNoName(object, typed) !== undefined) return false;
    if (isBag(attributes.landmark)) return this.set(objectId, { landmark: { label: typed.trim() } });
    const id = idOf(typed);
    if (id === objectId) return true;
    const done = await this.#apply(renamed(this.objects, object, id));
    if (done) this.#host.choose([id]);
    return done;
  }

  set(objectId: string, attributes: Attributes): Promise<boolean> {
    return this.#apply([{ kind: "update", objectId, attributes }]);
  }

  /** Sets the file that an object shows or plays. A board's hint text is removed in the same undo step. */
  showFile(objectId: string, chosen: MainFileReplacement): Promise<boolean> {
    const object = this.objects.get(objectId);
    const file = object && mainFile(objectId, object.attributes);
    if (file === undefined) return Promise.resolve(false);
    const shown: ObjectChangeRequest = { kind: "update", objectId, attributes: file.patch(chosen) };
    const hint = this.objects.get(hintOf(objectId));
    const asked = chosen.url !== "" && parentOf(hint) === objectId ? hint : undefined;
    return this.#apply(asked === undefined ? [shown] : [shown, { kind: "remove", objectId: asked.objectId }]);
  }

  /** The board whose hint text this object is; otherwise the object itself. */
  boardOf(object: SceneObject): SceneObject {
    const board = this.objects.get(parentOf(object) ?? "");
    return board !== undefined && object.objectId === hintOf(board.objectId) ? board : object;
  }

  /** Moves the selection by a step. */
  nudge(axis: Axis, byM: number): Promise<boolean> {
    const moved = this.#roots.flatMap(({ objectId, attributes }): ObjectChangeRequest[] => {
      const patch = withNumber(attributes, "position", axis, numbersOf(attributes, "position")[axis] + byM);
      return patch === undefined ? [] : [{ kind: "update", objectId, attributes: patch }];
    });
    return this.#apply(moved);
  }

  /** Applies a drag by the gizmo or by hands in VR: previews while it lasts, a change at its end. */
  async takeMove({ moves, final }: Move): Promise<void> {
    const all = moves.map(({ objectId, ...attributes }) => ({ objectId, attributes }));
    if (!final) return this.changes.preview(all);
    const asked: ObjectChangeRequest[] = all.map((one) => ({ kind: "update", ...one }));
    try {
      await this.changes.run(asked);
    } catch (error) {
      this.#host.showError(errorText(error));
      throw error;
    }
  }

  /** Removes the unlocked objects of the selection with all their descendants. */
  async remove(): Promise<boolean> {
    const roots = this.#roots;
    if (roots.length < this.chosen.length && roots.length === 0) this.#host.showError(words.locked);
    const changes = roots.map(({ objectId }): ObjectChangeRequest => ({ kind: "remove", objectId }));
    const done = await this.#apply(changes);
    if (done) this.#host.choose([]);
    return done;
  }

  /** Copies the selection to the clipboard that this browser's pages share. */
  copy(): number {
    const clip = clipOf(this.objects, this.#host.selected);
    this.#clipboard.write(clip);
    return clip.things.length;
  }

  async cut(): Promise<void> {
    this.copy();
    await this.remove();
  }

  /** Pastes next to the originals if this scene still has all of them, otherwise ahead of the viewer. */
  async paste(): Promise<boolean> {
    const clip = this.#clipboard.read();
    if (clip === undefined) return false;
    const isHere = clip.things.every(({ objectId }) => this.objects.has(objectId));
    const ahead = this.#host.stage?.placeAhead(NEW_AHEAD_M) ?? ORIGIN;
    const first = clip.things[0];
    const from = first === undefined ? ORIGIN : numbersOf(first.attributes, "position");
    const shift = isHere ? { x: COPY_APART_M, y: 0, z: 0 } : { x: ahead.x - from.x, y: 0, z: ahead.z - from.z };
    return this.#insert(clip, shift);
  }

  duplicate(): Promise<boolean> {
    const clip = clipOf(this.objects, this.#host.selected);
    return this.#insert(clip, { x: COPY_APART_M, y: 0, z: 0 });
  }

  async #insert(clip: ObjectClip, shift: ScenePoint): Promise<boolean> {
    const { changes, roots } = pasted(clip, { shift, has: (id) => this.objects.has(id) });
    const done = await this.#apply(changes);
    if (done) this.#host.choose(roots);
    return done;
  }

  /** Puts the selection below one new parent, so that it moves as one. */
  async group(): Promise<boolean> {
    const roots = this.#roots;
    const { stage } = this.#host;
    if (roots.length === 0 || stage === undefined) return false;
    const parents = new Set(roots.map(({ attributes }) => attributes.parent));
    const parent = parents.size === 1 ? parentOf(roots[0]) : null;
    const poses = roots.map(({ objectId }) => stage.poseIn(objectId, parent));
    const center = centerOf(poses.flatMap((pose) => pose?.position ?? []));
    const groupId = newId("group");
    const parentAttribute: Attributes = parent === null ? {} : { parent };
    const made: ObjectChangeRequest = {
      kind: "create",
      objectId: groupId,
      attributes: { object_type: "entity", position: center, ...parentAttribute },
    };
    const below = roots.map(({ objectId, attributes }, at): ObjectChangeRequest => {
      const pose = poses[at];
      const { x, y, z } = pose?.position ?? numbersOf(attributes, "position");
      const position = { x: round(x - center.x), y: round(y - center.y), z: round(z - center.z) };
      const rest = pose && parents.size > 1 ? { rotation: pose.rotation, scale: pose.scale } : {};
      return { kind: "update", objectId, attributes: { parent: groupId, position, ...rest } };
    });
    const done = await this.#apply([made, ...below]);
    if (done) this.#host.choose([groupId]);
    return done;
  }

  /** Ungroups the selected objects with children. The children keep their poses; plain group objects are removed. */
  async ungroup(): Promise<boolean> {
    const groups = this.#roots.filter((object) => this.childrenOf(object.objectId).length > 0);
    const children = groups.flatMap((one) =>
      this.childrenOf(one.objectId).map((child) => this.#reparented(child, parentOf(one))),
    );
    const plain = groups
      .filter(isPlainGroup)
      .map(({ objectId }): ObjectChangeRequest => ({ kind: "remove", objectId }));
    const ids = children.map(({ objectId }) => objectId);
    const done = await this.#apply([...children, ...plain]);
    if (done) this.#host.choose(ids);
    return done;
  }

  /** The object's direct children. */
  childrenOf(objectId: string): readonly SceneObject[] {
    return [...this.objects.values()].filter(({ attributes }) => attributes.parent === objectId);
  }

  /** Gives unlocked objects another parent, or none. Each keeps its pose in the scene. */
  reparent(objectIds: readonly string[], parent: string | null): Promise<boolean> {
    const below = new Set(objectIds.flatMap((id) => [id, ...descendantsOf(this.objects, id).map((o) => o.objectId)]));
    if (parent !== null && below.has(parent)) {
      this.#host.showError(words.ownChild);
      return Promise.resolve(false);
    }
    const objects = objectIds.flatMap((id) => this.objects.get(id) ?? []).filter((object) => !isLocked(object));
    const changes = objects
      .filter((object) => parentOf(object) !== parent)
      .map((object) => this.#reparented(object, parent));
    return this.#apply(changes);
  }

  lock(locked: boolean): Promise<boolean> {
    const changes = this.chosen.map(
      ({ objectId }): ObjectChangeRequest => ({
        kind: "update",
        objectId,
        attributes: { locked: locked ? true : null },
      }),
    );
    return this.#apply(changes);
  }

  /** The object's display name. */
  nameOf(objectId: string): string {
    return nameOf(objectId, this.objects.get(objectId)?.attributes ?? {});
  }

  #reparented({ objectId, attributes }: SceneObject, parent: string | null): ObjectChangeRequest {
    const pose = this.#host.stage?.poseIn(objectId, parent);
    const place = pose ? Object.fromEntries(POSE_KEYS.map((key) => [key, pose[key]])) : {};
    // A scale that was never set stays unset.
    if (attributes.scale === undefined && pose && isOne(pose.scale)) delete place.scale;
    return { kind: "update", objectId, attributes: { parent, ...place } };
  }

  /** Applies changes that don't concern the selection, such as surroundings or an import, as one undo step. */
  run(changes: readonly ObjectChangeRequest[]): Promise<boolean> {
    return this.#apply(changes);
  }

  async #apply(changes: readonly ObjectChangeRequest[]): Promise<boolean> {
    if (changes.length === 0) return false;
    this.#host.showError("");
    try {
      if (changes.length > AT_ONCE_MAX) await this.#host.session?.undo.group(() => this.#applyInBatches(changes));
      else await this.changes.run(changes);
      return true;
    } catch (error) {
      this.#host.showError(errorText(error));
      return false;
    }
  }

  /** Applies one undo step in batches, since the client limits the number of unacknowledged changes. */
  async #applyInBatches(changes: readonly ObjectChangeRequest[]): Promise<void> {
    for (let at = 0; at < changes.length; at += AT_ONCE_MAX)
      await this.changes.run(changes.slice(at, at + AT_ONCE_MAX));
  }
}

export function isLocked({ attributes }: SceneObject): boolean {
  return attributes.locked === true;
}

/** The id of the object's parent, or `null`. */
export function parentOf(object: SceneObject | undefined): string | null {
  const parent = object?.attributes.parent;
  return typeof parent === "string" && parent !== "" ? parent : null;
}

/** The object's display name: its landmark's label, `nameByUse` for a generated id, otherwise the id. */
export function nameOf(objectId: string, attributes: Attributes): string {
  const { landmark } = attributes;
  const label = typeof landmark === "object" && landmark !== null && "label" in landmark ? landmark.label : undefined;
  if (typeof label === "string" && label !== "") return label;
  return nameByUse(objectId, attributes) ?? objectId;
}

function isPlainGroup({ attributes }: SceneObject): boolean {
  return Object.keys(attributes).every((key) => ["object_type", "parent", ...POSE_KEYS].some((known) => known === key));
}

function isOne({ x, y, z }: ScenePoint): boolean {
  return [x, y, z].every((part) => Math.abs(part - 1) < 1e-4);
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000 || 0;
}

function centerOf(places: readonly ScenePoint[]): ScenePoint {
  const sum = (key: Axis): number => round(places.reduce((all, place) => all + place[key], 0) / (places.length || 1));
  return { x: sum("x"), y: sum("y"), z: sum("z") };
}
