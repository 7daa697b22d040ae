import type { Hindrance } from "./errors.ts";
import type { History, HistoryQuery, Restored, RestoreRequest } from "./history.ts";
import type { Attributes } from "./plain.ts";

export type { Attributes } from "./plain.ts";

/** A position in metres: right-handed, y up. */
export type Vector3 = readonly [x: number, y: number, z: number];
/** A unit quaternion. */
export type Quaternion = readonly [x: number, y: number, z: number, w: number];

/** Where something is, in scene space. */
export interface Pose {
  readonly position: Vector3;
  readonly rotation: Quaternion;
}

/** What somebody may do in a scene. */
export type Role = "viewer" | "editor" | "owner";
/** A person's hand. */
export type Side = "left" | "right";

/** How the connection to the scene is doing; `reason` is for people to read. */
export interface Status {
  /** `silent`: as `live`, but for a while nothing has come through, and nobody knows whether it will. */
  readonly kind: "connecting" | "live" | "silent" | "reconnecting" | "refused" | "closed";
  readonly reason?: string;
  /** What keeps one out, or away, where it is known. */
  readonly hindrance?: Hindrance;
}

/** Who this connection is in the scene. It may change when the connection comes back with a fresh token. */
export interface Me {
  /** Token 6 of its topics. */
  readonly idTag: string;
  /** Token 5 of its topics. */
  readonly userClient: string;
  readonly username: string;
  readonly displayName: string;
  readonly role: Role;
  readonly guest: boolean;
  /** Whether the token lets one change the objects of the scene. */
  readonly mayBuild: boolean;
}

/** One object of the scene. */
export interface SceneObject {
  readonly objectId: string;
  /** `object`, `program`, `scene-options`, … */
  readonly type: string;
  readonly attributes: Attributes;
  readonly persist: boolean;
}

/** One hand of a person. */
export interface Hand {
  readonly objectId: string;
  readonly pose?: Pose;
  readonly attributes: Attributes;
}

/** What somebody does besides moving; `stoa-user` of their camera. */
export interface Doing {
  /** Whether others see legs. */
  readonly body: "full" | "half";
  readonly handRaised: boolean;
  /** What they point with, and where that ends in the scene; `null`: they don't point. */
  readonly laser: { readonly from: "head" | Side; readonly to: Vector3 } | null;
}

/** How a person looks to the others, and what they do. */
export interface Appearance {
  /** Default: the idTag's. */
  readonly color?: string;
  /** A glTF model that others show as this person; a plain one where it is empty. */
  readonly headModelPath: string;
  readonly doing?: Doing;
  /** Ids of the objects that the person has chosen to change: the first `HOLDS_MAX` are told. Absent: nothing is said of it. */
  readonly holds?: readonly string[];
}

/** Both hands, where there are any. */
export interface Hands {
  readonly left?: Hand;
  readonly right?: Hand;
}

/** Somebody else in the scene. */
export interface Person {
  readonly idTag: string;
  readonly userClient: string;
  readonly displayName: string;
  readonly color: string;
  readonly headModelPath: string;
  /** Absent until the first camera message. */
  readonly pose?: Pose;
  readonly hands: Hands;
  /** Absent until they said it: nothing. */
  readonly doing?: Doing;
  /** Ids of the objects that this person has chosen to change; absent: never said. */
  readonly holds?: readonly string[];
}

/** What was said. */
export interface Chat {
  readonly idTag: string;
  readonly displayName: string;
  readonly text: string;
  /** True for what this connection said itself. */
  readonly own: boolean;
}

/** An event on an object, as it is sent. */
export interface ClientEvent {
  /** `mousedown`, `mouseup`, `mouseenter`, `mouseleave`, `buttonClick`, … */
  readonly type: string;
  /** The id of the object it is about. */
  readonly target: string;
  readonly targetPosition?: Vector3;
  readonly originPosition?: Vector3;
  /** Who caused it: the camera (default) or a hand. */
  readonly source?: "camera" | Side;
  /** More of the event's own keys, such as `buttonName`. */
  readonly more?: Attributes;
}

/** An event of somebody, as it came. */
export interface ReceivedEvent {
  readonly type: string;
  /** The idTag of who caused it. */
  readonly idTag: string;
  readonly target: string;
  readonly attributes: Attributes;
}

/** Where a program wants this person's eyes: ARENA's `camera-override` and `rig`. It passes; nothing of it is kept. */
export interface CameraOrder {
  readonly type: "camera-override" | "rig";
  readonly attributes: Attributes;
}

/** An action that the realm refused, and why. */
export interface Refusal {
  /** A reason of `spec/topics.md` section 2, or a reason code in words. */
  readonly reason: string;
  /** The limit that was passed, where there is one. */
  readonly limit?: string;
  /** The object it was about, where that is known. */
  readonly objectId?: string;
  /** How many refusals this stands for. */
  readonly count: number;
}

/** What a scene tells its listeners. */
export interface SceneEvents {
  status: Status;
  /** A new snapshot was applied: read objects and people again. */
  reset: undefined;
  /** An object came, changed or went; `changed` names the top-level keys of its attributes. */
  object: {
    readonly objectId: string;
    readonly object: SceneObject | null;
    readonly changed: readonly string[];
    /** Token 5 of who did it, where a message said so; `stoa`: the realm itself. */
    readonly by?: string;
  };
  /** A person came, changed or went. */
  person: { readonly idTag: string; readonly person: Person | null };
  chat: Chat;
  clientEvent: ReceivedEvent;
  /** This person is to be moved, or to look somewhere. */
  cameraOrder: CameraOrder;
  refused: Refusal;
}

/** How an object is created or changed. */
export interface ChangeOptions {
  /** Keep it across restarts of the realm. Default: false for `create`, what the object has for `update`. */
  readonly persist?: boolean;
  /** Seconds until the realm removes it. */
  readonly ttlS?: number;
  /** `update` only: replace all attributes instead of merging. */
  readonly overwrite?: boolean;
  /** `create` only: the object's type, default `object`. */
  readonly type?: string;
  /** Whether it is a step of {@link SceneSession.undo}; default true. False for what a page does by itself. */
  readonly undoable?: boolean;
}

/** Something that an undo left as it is, and why. */
export interface Left {
  readonly objectId: string;
  /** `changed`: by others, in `keys`; `gone`; `carries` what hangs on it now; `there`: an object of that id came; `hangs` on what is gone. */
  readonly why: "changed" | "gone" | "carries" | "there" | "hangs";
  /** Top-level keys of its attributes. */
  readonly keys: readonly string[];
  /** Who changed it last, where that is known. */
  readonly by?: string;
}

/** What an undo or a redo did. */
export interface Undone {
  /** Whether anything changed. */
  readonly done: boolean;
  readonly left: readonly Left[];
}

/** The steps of one's own changes in this visit. */
export interface Undo {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Takes the last step back, but for what others have changed since. */
  undo(): Promise<Undone>;
  /** Does again what was undone last, likewise. */
  redo(): Promise<Undone>;
  /** All that `changes` asks for is one step. */
  group<T>(changes: () => T): T;
  /** The same until the returned function is called, such as while something is dragged. */
  begin(): () => void;
  /** Calls `listener` whenever there is more or less to undo, until the returned function is called. */
  follow(listener: () => void): () => void;
}

/** What moves: a person's head or hand, or an object of the scene. */
export type MoverKind = "head" | Side | "object";

/** Something that moves on the motion plane. */
export interface Mover {
  readonly kind: MoverKind;
  /** Of an object its id, else the person's idTag. */
  readonly name: string;
}

/** Who follows what moves. The same {@link Mover} comes in all three. */
export interface MotionListener {
  readonly onEntered: (mover: Mover) => void;
  /**
   * It was there at a time of `performance.now`'s clock, as if news came by the quickest way. The array, position in metres and then
   * rotation, is valid during the call.
   */
  readonly onMoved: (mover: Mover, at: number, pose: Float64Array) => void;
  /** It is gone, or too far to be told of; a person may still be there by its camera messages. */
  readonly onLeft: (mover: Mover) => void;
}

/** What moves around this person: heads, hands, tracked objects. Where the realm has no motion plane it stays empty, and camera messages tell. */
export interface Motion {
  /** How it comes at present; `null`: it does not. */
  readonly way: "webtransport" | "websocket" | null;
  /**
   * Whether it alone says whose head and hands are to be seen: a stay has told of all whom it tells of, those included who know camera messages
   * alone. Whoever it does not tell of is in the scene, but beyond what this person gets. False: camera messages say it.
   */
  readonly decides: boolean;
  /** How late news come, of late, in milliseconds: what is drawn is to lie as much in the past, and two ticks more. */
  readonly jitterMs: number;
  /** Who moves now; never this person's own head and hands. */
  readonly movers: Iterable<Mover>;
  /** Tells a listener until the returned function is called; first of all who moves already, and where they are. */
  follow(listener: MotionListener): () => void;
}

/** One scene, entered by one person or watched by an observer. */
export interface SceneSession {
  readonly status: Status;
  readonly me: Me;
  readonly objects: ReadonlyMap<string, SceneObject>;
  /** The others; never this connection itself. */
  readonly people: ReadonlyMap<string, Person>;
  /** How they move, where the realm tells it by datagrams. */
  readonly motion: Motion;
  /** Calls `listener` on each event until the returned function is called. */
  on<K extends keyof SceneEvents>(kind: K, listener: (event: SceneEvents[K]) => void): () => void;
  /** Tells the others where this person's head is; sent at most every 100 ms, and once a second in any case. */
  publishCamera(pose: Pose): void;
  /** Tells where a hand is; `null` when it is gone. */
  publishHand(side: Side, pose: Pose | null): void;
  /** Changes how this person looks to the others, or what they do; the others are told at once. */
  setLooks(looks: Partial<Appearance>): void;
  /**
   * Moves an object on the motion plane: it is there now; `null`: let go. One person moves an object at a time, the first, and only who may
   * build; the realm decides, and `holdsObject` says how. Of more than `MOTION_OWN_MAX` things, head and hands among them, the rest is not said.
   */
  moveObject(objectId: string, pose: Pose | null): void;
  /** Whether the realm has this person move an object. */
  holdsObject(objectId: string): boolean;
  sendEvent(event: ClientEvent): void;
  sendChat(text: string): void;
  /** Resolves when the realm acknowledged it, rejects with a `RefusedError` when it refused. */
  create(objectId: string, attributes: Attributes, options?: ChangeOptions): Promise<void>;
  update(objectId: string, attributes: Attributes, options?: ChangeOptions): Promise<void>;
  remove(objectId: string, options?: Pick<ChangeOptions, "undoable">): Promise<void>;
  /** One's own changes in this visit, step by step. */
  readonly undo: Undo;
  /** Who changed what, for those who may build. */
  history(query?: HistoryQuery): Promise<History>;
  /** Brings the scene, an object, or what one person did to how it was; rejects with an `ApiError` that says why not. */
  restore(request: RestoreRequest): Promise<Restored>;
  /** Leaves the scene. */
  close(): Promise<void>;
}
