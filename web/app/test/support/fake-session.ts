import {
  type Attributes,
  type History,
  type HistoryQuery,
  type Me,
  MotionFeed,
  type Person,
  type Pose,
  type Restored,
  type RestoreRequest,
  type SceneEvents,
  type SceneObject,
  type SceneSession,
  type Status,
  UndoStack,
} from "@stoa/client";

type Listener = (event: never) => void;

/** A session that records its calls. */
export class FakeSession implements SceneSession {
  status: Status = { kind: "live" };
  me: Me = {
    idTag: "ada_1",
    userClient: "ada_1_web",
    username: "anonymous-1",
    displayName: "Ada",
    role: "editor",
    guest: true,
    mayBuild: true,
  };
  readonly objects = new Map<string, SceneObject>();
  readonly people = new Map<string, Person>();
  readonly motion = new MotionFeed();
  readonly voices: SceneSession["voices"] = this.motion.voices;
  readonly asked: unknown[] = [];
  /** The head poses that were sent. */
  readonly poses: Pose[] = [];
  readonly undo = new UndoStack({
    objects: this.objects,
    now: () => 0,
    send: async (order) => void this.asked.push([order.kind, order.objectId]),
  });
  told: History = {
    keptDays: 90,
    keptBytes: 1_073_741_824,
    oldestMs: undefined,
    entries: [],
    next: undefined,
    reaches: undefined,
  };
  restored: Restored = { created: 0, changed: 0, removed: 0, left: 0 };
  refusal: Error | undefined;
  closed = false;
  readonly #listeners = new Map<string, Set<Listener>>();

  on<K extends keyof SceneEvents>(kind: K, listener: (event: SceneEvents[K]) => void): () => void {
    const listeners = this.#listeners.get(kind) ?? new Set();
    this.#listeners.set(kind, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  tell<K extends keyof SceneEvents>(kind: K, event: SceneEvents[K]): void {
    for (const listener of this.#listeners.get(kind) ?? []) Reflect.apply(listener, undefined, [event]);
  }

  get listeners(): number {
    return [...this.#listeners.values()].reduce((sum, set) => sum + set.size, 0);
  }

  publishCamera(pose: Pose): void {
    this.poses.push(pose);
  }
  publishHand(): void {}

  setLooks(looks: unknown): void {
    this.asked.push(["looks", looks]);
  }

  moveObject(): void {}

  holdsObject(): boolean {
    return false;
  }

  sendEvent(event: unknown): void {
    this.asked.push(["event", event]);
  }

  sendChat(text: string): void {
    this.asked.push(["chat", text]);
  }

  create(objectId: string, attributes: Attributes, options?: unknown): Promise<void> {
    return this.#answer(["create", objectId, attributes, options]);
  }

  update(objectId: string, attributes: Attributes): Promise<void> {
    return this.#answer(["update", objectId, attributes]);
  }

  remove(objectId: string): Promise<void> {
    return this.#answer(["remove", objectId]);
  }

  history(query: HistoryQuery = {}): Promise<History> {
    return this.#answer(["history", query]).then(() => this.told);
  }

  restore(request: RestoreRequest): Promise<Restored> {
    return this.#answer(["restore", request]).then(() => this.restored);
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }

  async #answer(request: readonly unknown[]): Promise<void> {
    if (this.refusal !== undefined) throw this.refusal;
    this.asked.push(request);
  }
}

/** Another person. */
export function person(idTag: string, displayName: string): Person {
  return { idTag, userClient: `${idTag}_web`, displayName, color: "#4f7cac", headModelPath: "", hands: {} };
}
