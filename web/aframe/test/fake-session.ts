/** A session without a realm: the test sets its state and reads the recorded calls. */
import type {
  Attributes,
  ChangeOptions,
  ClientEvent,
  Looks,
  Me,
  Motion,
  MotionListener,
  Mover,
  MoverKind,
  Person,
  Pose,
  SceneEvents,
  SceneObject,
  SceneSession,
  Side,
  Status,
} from "@stoa/client";
import { MotionFeed, UndoStack } from "@stoa/client";

type Listeners = { [Kind in keyof SceneEvents]: Set<(event: SceneEvents[Kind]) => void> };

/** A recorded update. */
export interface RecordedUpdate {
  readonly objectId: string;
  readonly attributes: Attributes;
  readonly options: ChangeOptions | undefined;
}

/** A motion plane controlled by the test. */
export class FakeMotion implements Motion {
  way: Motion["way"] = "webtransport";
  decides = false;
  jitterMs = 0;
  readonly #movers = new Map<string, Mover>();
  readonly #listeners = new Set<MotionListener>();

  get movers(): Iterable<Mover> {
    return this.#movers.values();
  }

  get listening(): number {
    return this.#listeners.size;
  }

  follow(listener: MotionListener): () => void {
    this.#listeners.add(listener);
    for (const mover of this.#movers.values()) listener.onEntered(mover);
    return () => this.#listeners.delete(listener);
  }

  /** A head or hand enters, without a pose yet. */
  enter(kind: MoverKind, name: string): Mover {
    const known = this.#movers.get(`${kind} ${name}`);
    if (known !== undefined) return known;
    const mover = { kind, name };
    this.#movers.set(`${kind} ${name}`, mover);
    for (const listener of this.#listeners) listener.onEntered(mover);
    return mover;
  }

  /** Moves a mover at a time; it enters first if it is new. */
  move(kind: MoverKind, name: string, at: number, pose: readonly number[]): void {
    const mover = this.enter(kind, name);
    for (const listener of this.#listeners) listener.onMoved(mover, at, Float64Array.from(pose));
  }

  lose(kind: MoverKind, name: string): void {
    const mover = this.#movers.get(`${kind} ${name}`);
    if (mover === undefined) throw new Error(`nobody moves the ${kind} of ${name}`);
    this.#movers.delete(`${kind} ${name}`);
    for (const listener of this.#listeners) listener.onLeft(mover);
  }
}

export class FakeSession implements SceneSession {
  readonly status: Status = { kind: "live" };
  readonly me: Me = {
    idTag: "me_1",
    userClient: "me_1_web",
    username: "me",
    displayName: "Me",
    role: "editor",
    guest: false,
    mayBuild: true,
  };
  readonly objects = new Map<string, SceneObject>();
  readonly people = new Map<string, Person>();
  readonly motion = new FakeMotion();
  readonly voices: SceneSession["voices"] = new MotionFeed().voices;
  readonly undo = new UndoStack({ objects: this.objects, now: () => 0, send: () => Promise.resolve() });
  readonly events: ClientEvent[] = [];
  readonly cameras: Pose[] = [];
  readonly hands: { readonly side: Side; readonly pose: Pose | null }[] = [];
  readonly updates: RecordedUpdate[] = [];
  looks: Looks = { headModelPath: "" };
  readonly #listeners: Listeners = {
    status: new Set(),
    reset: new Set(),
    object: new Set(),
    person: new Set(),
    chat: new Set(),
    clientEvent: new Set(),
    cameraOrder: new Set(),
    refused: new Set(),
  };

  on<Kind extends keyof SceneEvents>(kind: Kind, listener: (event: SceneEvents[Kind]) => void): () => void {
    this.#listeners[kind].add(listener);
    return () => this.#listeners[kind].delete(listener);
  }

  /** The number of listeners of all events. */
  get listening(): number {
    return Object.values(this.#listeners).reduce((sum, set) => sum + set.size, 0);
  }

  #tell<Kind extends keyof SceneEvents>(kind: Kind, event: SceneEvents[Kind]): void {
    for (const listener of this.#listeners[kind]) listener(event);
  }

  /** Emits an event, as after a message from the realm. */
  tell<Kind extends keyof SceneEvents>(kind: Kind, event: SceneEvents[Kind]): void {
    this.#tell(kind, event);
  }

  /** Adds or changes an object, as the realm would. */
  put(objectId: string, attributes: Attributes, type = "object"): void {
    const object: SceneObject = { objectId, type, attributes, persist: true };
    this.objects.set(objectId, object);
    this.#tell("object", { objectId, object, changed: Object.keys(attributes) });
  }

  /** Removes an object. */
  drop(objectId: string): void {
    this.objects.delete(objectId);
    this.#tell("object", { objectId, object: null, changed: [] });
  }

  /** Adds or moves a person. */
  person(idTag: string, pose?: Pose, more: Partial<Person> = {}): void {
    const before = this.people.get(idTag);
    const person: Person = {
      idTag,
      userClient: `${idTag}_web`,
      displayName: idTag,
      color: "#e07a5f",
      headModelPath: "",
      hands: {},
      ...before,
      ...more,
      ...(pose ? { pose } : {}),
    };
    this.people.set(idTag, person);
    this.#tell("person", { idTag, person });
  }

  /** Removes a person. */
  leave(idTag: string): void {
    this.people.delete(idTag);
    this.#tell("person", { idTag, person: null });
  }

  /** A new snapshot with exactly these objects and no people. */
  reset(objects: Readonly<Record<string, Attributes>>): void {
    this.objects.clear();
    this.people.clear();
    for (const [objectId, attributes] of Object.entries(objects)) {
      this.objects.set(objectId, { objectId, type: "object", attributes, persist: true });
    }
    this.#tell("reset", undefined);
  }

  publishCamera(pose: Pose): void {
    this.cameras.push(pose);
  }

  publishHand(side: Side, pose: Pose | null): void {
    this.hands.push({ side, pose });
  }

  setLooks(looks: Partial<Looks>): void {
    this.looks = { ...this.looks, ...looks };
  }

  readonly moved = new Map<string, Pose>();
  /** Objects that the realm lets this user move. */
  readonly held = new Set<string>();

  moveObject(objectId: string, pose: Pose | null): void {
    if (pose === null) this.moved.delete(objectId);
    else this.moved.set(objectId, pose);
  }

  holdsObject(objectId: string): boolean {
    return this.held.has(objectId);
  }

  sendEvent(event: ClientEvent): void {
    this.events.push(event);
  }

  sendChat(): void {}

  create(): Promise<void> {
    return Promise.resolve();
  }

  update(objectId: string, attributes: Attributes, options?: ChangeOptions): Promise<void> {
    this.updates.push({ objectId, attributes, options });
    return Promise.resolve();
  }

  history(): Promise<never> {
    return Promise.reject(new Error("no view asks for history"));
  }

  restore(): Promise<never> {
    return Promise.reject(new Error("no view restores"));
  }

  remove(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
