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
  readonly kind: "connecting" | "live" | "reconnecting" | "refused" | "closed";
  readonly reason?: string;
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

/** The attributes of an object: ARENA's `data`, as it came. */
export type Attributes = Readonly<Record<string, unknown>>;

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
  object: { readonly objectId: string; readonly object: SceneObject | null; readonly changed: readonly string[] };
  /** A person came, changed or went. */
  person: { readonly idTag: string; readonly person: Person | null };
  chat: Chat;
  clientEvent: ReceivedEvent;
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
  sendEvent(event: ClientEvent): void;
  sendChat(text: string): void;
  /** Resolves when the realm acknowledged it, rejects with a `RefusedError` when it refused. */
  create(objectId: string, attributes: Attributes, options?: ChangeOptions): Promise<void>;
  update(objectId: string, attributes: Attributes, options?: ChangeOptions): Promise<void>;
  remove(objectId: string): Promise<void>;
  /** Leaves the scene. */
  close(): Promise<void>;
}
