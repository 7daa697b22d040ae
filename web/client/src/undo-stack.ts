/** Undo and redo of this visit's changes, step by step. It executes the plans of `undo.ts` in order. */
import { UNDO_FOLLOWS_MS, UNDO_STEPS_MAX, UNDO_TOUCHED_MAX } from "./limits.ts";
import { mergeAttributes } from "./merge.ts";
import type { Attributes, ChangeOptions, SceneObject, Undo, Undone } from "./types.ts";
import {
  leavesBetween,
  leavesTogether,
  planUndo,
  type RealmChangeRequest,
  type UndoableChange,
  withDescendants,
} from "./undo.ts";

/** The stack's dependencies on the session. */
export interface UndoDependencies {
  readonly objects: ReadonlyMap<string, SceneObject>;
  readonly now: () => number;
  /** Sends a change to the realm without adding it to the stack. */
  readonly send: (request: RealmChangeRequest) => Promise<void>;
}

type UndoableAttributeChange = Extract<UndoableChange, { kind: "changed" }>;

/** A change, and whether the realm has accepted it. */
interface RecordedChange {
  change: UndoableChange;
  isAccepted: boolean;
}

interface UndoStep {
  readonly changes: RecordedChange[];
  /** Whether `begin` opened the step and its end is still to come. */
  isOpen: boolean;
  /** Time of the last change. */
  at: number;
}

/** The implementation of {@link Undo}. */
export class UndoStack implements Undo {
  readonly #parts: UndoDependencies;
  readonly #listeners = new Set<() => void>();
  readonly #undo: UndoStep[] = [];
  readonly #redo: UndoStep[] = [];
  /** Objects after all changes in flight; `null` for a removed one. */
  readonly #expected = new Map<string, SceneObject | null>();
  readonly #underWay = new Set<Promise<unknown>>();
  /**
   * The display name of the other person who last changed an attribute, by object id and attribute. The attribute `""`
   * stands for the whole object.
   */
  readonly #touched = new Map<string, Map<string, string>>();
  #open = 0;
  /** Numbers of requested undos and redos that have not begun yet, by their stack. */
  readonly #asked = new Map<UndoStep[], number>();
  /** Steps that undos and redos under way will add: an undo adds one to the redo stack, and the reverse. */
  readonly #coming = new Map<UndoStep[], number>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: UndoDependencies) {
    this.#parts = parts;
  }

  get canUndo(): boolean {
    return this.#has(this.#undo);
  }

  get canRedo(): boolean {
    return this.#has(this.#redo);
  }

  follow(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  group<T>(changes: () => T): T {
    const end = this.begin();
    try {
      const result = changes();
      if (result instanceof Promise) void result.then(end, end);
      else end();
      return result;
    } catch (error) {
      end();
      throw error;
    }
  }

  begin(): () => void {
    const before = this.#undo.at(-1);
    if (this.#open === 0 || before === undefined || !before.isOpen)
      this.#push({ changes: [], isOpen: true, at: this.#parts.now() });
    this.#open += 1;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      this.#open -= 1;
      if (this.#open === 0) this.#close();
    };
  }

  undo(): Promise<Undone> {
    return this.#go(this.#undo, this.#redo);
  }

  redo(): Promise<Undone> {
    return this.#go(this.#redo, this.#undo);
  }

  /** Notes the creation or replacement of an object. Pass the request's promise to the returned function. */
  noteCreate(objectId: string, attributes: Attributes, options: ChangeOptions): (done: Promise<void>) => void {
    const before = this.#known(objectId);
    const { type = "object", persist = false } = options;
    const object: SceneObject = { objectId, type, persist, attributes };
    if (before !== undefined)
      return this.#note(object, {
        kind: "changed",
        objectId,
        leaves: leavesBetween(before.attributes, attributes),
      });
    return this.#note(object, { kind: "came", objects: [object] });
  }

  /** Notes a change of an object. */
  noteUpdate(objectId: string, patch: Attributes, options: ChangeOptions): (done: Promise<void>) => void {
    const before = this.#known(objectId);
    const attributes = mergeAttributes(options.overwrite === true ? {} : (before?.attributes ?? {}), patch);
    const { type = "object", persist = false } = before ?? options;
    const object: SceneObject = { objectId, type, persist, attributes };
    if (before === undefined) return this.#note(object, { kind: "came", objects: [object] });
    return this.#note(object, { kind: "changed", objectId, leaves: leavesBetween(before.attributes, attributes) });
  }

  /** Notes the removal of an object and its descendants. */
  noteRemove(objectId: string): (done: Promise<void>) => void {
    const objects = withDescendants(this.#all(), objectId);
    if (objects.length === 0) return () => undefined;
    for (const object of objects) this.#expected.set(object.objectId, null);
    return this.#note(null, { kind: "went", objects });
  }

  /** Notes another person's change of an object. Without a name, it forgets the object's earlier foreign changes. */
  handleOthers(objectId: string, keys: readonly string[], name: string | undefined): void {
    this.#expected.delete(objectId);
    if (name === undefined) {
      this.#touched.delete(objectId);
      return;
    }
    const touched = this.#touched.get(objectId) ?? new Map<string, string>();
    for (const key of ["", ...keys]) touched.set(key, name);
    this.#touched.delete(objectId);
    this.#touched.set(objectId, touched);
    const [oldest] = this.#touched.keys();
    if (this.#touched.size > UNDO_TOUCHED_MAX && oldest !== undefined) this.#touched.delete(oldest);
  }

  #note(object: SceneObject | null, change: UndoableChange): (done: Promise<void>) => void {
    if (object !== null) this.#expected.set(object.objectId, object);
    this.#redo.length = 0;
    const recorded: RecordedChange = { change, isAccepted: false };
    const step = this.#add(recorded);
    this.#tell();
    return (done) => {
      const settled = done.then(
        () => accept(step.changes, recorded),
        () => this.#forget(step, recorded),
      );
      this.#underWay.add(settled);
      void settled.then(() => {
        this.#underWay.delete(settled);
        if (this.#underWay.size === 0) this.#expected.clear();
      });
    };
  }

  #add(recorded: RecordedChange): UndoStep {
    const now = this.#parts.now();
    const last = this.#undo.at(-1);
    if (last === undefined || !(last.isOpen || follows(last, recorded.change, now))) {
      const step: UndoStep = { changes: [recorded], isOpen: false, at: now };
      this.#push(step);
      return step;
    }
    last.at = now;
    last.changes.push(recorded);
    return last;
  }

  #push(step: UndoStep): void {
    this.#undo.push(step);
    if (this.#undo.length > UNDO_STEPS_MAX) this.#undo.shift();
  }

  #close(): void {
    const last = this.#undo.at(-1);
    if (last === undefined) return;
    last.isOpen = false;
    // The next change starts a new step, however soon it follows.
    last.at = Number.NEGATIVE_INFINITY;
    if (last.changes.length === 0) this.#undo.pop();
    this.#tell();
  }

  /** Removes a refused change, which needs no undo. */
  #forget(step: UndoStep, recorded: RecordedChange): void {
    refuse(step.changes, recorded);
    const index = this.#undo.indexOf(step);
    if (index >= 0 && step.changes.length === 0 && !step.isOpen) this.#undo.splice(index, 1);
    this.#tell();
  }

  #has(steps: UndoStep[]): boolean {
    return steps.length + (this.#coming.get(steps) ?? 0) > (this.#asked.get(steps) ?? 0);
  }

  #count(counts: Map<UndoStep[], number>, steps: UndoStep[], more: number): void {
    counts.set(steps, (counts.get(steps) ?? 0) + more);
  }

  /** Queues an undo or redo. Steps run one after the other, at most as many as the stack has. */
  #go(from: UndoStep[], to: UndoStep[]): Promise<Undone> {
    if (!this.#has(from)) return Promise.resolve({ done: false, left: [] });
    this.#count(this.#asked, from, 1);
    this.#count(this.#coming, to, 1);
    this.#tell();
    const gone = this.#last
      .then(() => this.#take(from, to))
      .finally(() => {
        this.#count(this.#coming, to, -1);
        this.#tell();
      });
    this.#last = gone.catch(() => undefined);
    return gone;
  }

  async #take(from: UndoStep[], to: UndoStep[]): Promise<Undone> {
    // The plan compares objects with the changes, so all changes in flight must have arrived.
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    const step = from.pop();
    this.#count(this.#asked, from, -1);
    if (step === undefined) return { done: false, left: [] };
    const plan = planUndo(
      step.changes.map(({ change }) => change),
      this.#parts.objects,
    );
    try {
      for (const request of plan.requests) await this.#parts.send(request);
    } catch (error) {
      from.push(step);
      throw error;
    }
    const changes = plan.done.map((change): RecordedChange => ({ change, isAccepted: true }));
    if (changes.length > 0) to.push({ changes, isOpen: false, at: Number.NEGATIVE_INFINITY });
    const left = plan.left.map(({ objectId, why, keys }) => {
      const touched = this.#touched.get(objectId);
      const by = keys.map((key) => touched?.get(key)).find((name) => name !== undefined) ?? touched?.get("");
      return { objectId, why, keys, ...(by === undefined ? {} : { by }) };
    });
    return { done: changes.length > 0, left };
  }

  #known(objectId: string): SceneObject | undefined {
    const expected = this.#expected.get(objectId);
    return expected === undefined ? this.#parts.objects.get(objectId) : (expected ?? undefined);
  }

  #all(): ReadonlyMap<string, SceneObject> {
    const all = new Map(this.#parts.objects);
    for (const [id, object] of this.#expected) {
      if (object === null) all.delete(id);
      else all.set(id, object);
    }
    return all;
  }

  #tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Whether a change continues the last step: the same keys of the same object within `UNDO_FOLLOWS_MS`. */
function follows({ changes, at }: UndoStep, change: UndoableChange, now: number): boolean {
  if (changes.length === 0 || change.kind !== "changed" || now - at > UNDO_FOLLOWS_MS) return false;
  const keys = keysOf(change);
  return changes.every(({ change: before }) => {
    const same = changeOf(before, change.objectId);
    return same !== undefined && keysOf(same) === keys;
  });
}

/** Marks a change as accepted and joins it with accepted neighbours of the same object. */
function accept(changes: RecordedChange[], recorded: RecordedChange): void {
  recorded.isAccepted = true;
  const index = changes.indexOf(recorded);
  if (index < 0) return;
  join(changes, index + 1);
  join(changes, index);
}

function join(changes: RecordedChange[], index: number): void {
  const [first, second] = [changes[index - 1], changes[index]];
  if (first?.isAccepted !== true || second?.isAccepted !== true || second.change.kind !== "changed") return;
  const before = changeOf(first.change, second.change.objectId);
  if (before === undefined) return;
  first.change = { ...before, leaves: leavesTogether(before.leaves, second.change.leaves) };
  changes.splice(index, 1);
}

/** Removes a refused change. Its old values become the old values of the next changes of the same leaves. */
function refuse(changes: RecordedChange[], recorded: RecordedChange): void {
  const index = changes.indexOf(recorded);
  if (index < 0) return;
  changes.splice(index, 1);
  const { change } = recorded;
  if (change.kind !== "changed") return;
  const begun = new Map(change.leaves.map((leaf) => [JSON.stringify(leaf.path), leaf]));
  for (const later of changes.slice(index)) {
    const after = changeOf(later.change, change.objectId);
    if (after === undefined) continue;
    const leaves = after.leaves.map((leaf) => {
      const text = JSON.stringify(leaf.path);
      const refused = begun.get(text);
      begun.delete(text);
      return refused === undefined ? leaf : { ...leaf, was: refused.was };
    });
    later.change = { ...after, leaves };
  }
}

/** `change` if it changes this object's attributes, else `undefined`. */
function changeOf(change: UndoableChange, objectId: string): UndoableAttributeChange | undefined {
  return change.kind === "changed" && change.objectId === objectId ? change : undefined;
}

function keysOf(change: UndoableAttributeChange): string {
  return [...new Set(change.leaves.map(({ path }) => path[0]))].sort().join("\n");
}
