/** The public types of a scene session: objects, people, motion, events, undo. */
import type { Hindrance } from "./errors.ts";
import type { History, HistoryQuery, Restored, RestoreRequest } from "./history.ts";
import type { Attributes } from "./json-values.ts";

export type { Attributes } from "./json-values.ts";

/** A position in metres: right-handed, y up. */
export type Vector3 = readonly [x: number, y: number, z: number];
/** A unit quaternion. */
export type Quaternion = readonly [x: number, y: number, z: number, w: number];

/** A position and rotation in scene space. */
export interface Pose {
  readonly position: Vector3;
  readonly rotation: Quaternion;
}

/** A person's rights in a scene, the least first. */
export type Role = "viewer" | "editor" | "owner";
/** A person's hand. */
export type Side = "left" | "right";

/** The state of the connection to the scene. `reason` is a text for people. */
export interface Status {
  /** `silent`: open as `live`, but the realm has not answered for a while. */
  readonly kind: "connecting" | "live" | "silent" | "reconnecting" | "refused" | "closed";
  readonly reason?: string;
  /** The kind of refusal or interruption, if known. */
  readonly hindrance?: Hindrance;
}

/** This connection's identity in the scene. A reconnection with a new token may change it. */
export interface Me {
  /** Token 6 of the connection's topics. */
  readonly idTag: string;
  /** Token 5 of the connection's topics. */
  readonly userClient: string;
  readonly username: string;
  readonly displayName: string;
  readonly role: Role;
  readonly guest: boolean;
  /** Whether the token allows changing the scene's objects. */
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

/** A person's activity besides moving: `stoa-user` of the camera. */
export interface Doing {
  /** Whether the avatar has legs. */
  readonly body: "full" | "half";
  readonly handRaised: boolean;
  /** The pointing part, and the end of its ray in the scene; `null` without a laser. */
  readonly laser: { readonly from: "head" | Side; readonly to: Vector3 } | null;
}

/** A person's visible appearance and activity. */
export interface Appearance {
  /** Default: a colour derived from the idTag. */
  readonly color?: string;
  /** URL or path of a glTF head or a VRM for this person; empty for the built-in body. */
  readonly headModelPath: string;
  readonly doing?: Doing;
  /** Ids of the objects that the person has selected to edit. The first `HOLDS_MAX` are sent; none if absent. */
  readonly holds?: readonly string[];
  /** Whether the person's microphone is on: ARENA's `hasAudio`. Default: false. */
  readonly hasAudio?: boolean;
}

/** A person's visible hands. */
export interface Hands {
  readonly left?: Hand;
  readonly right?: Hand;
}

/** Another person in the scene. */
export interface Person {
  readonly idTag: string;
  readonly userClient: string;
  readonly displayName: string;
  readonly color: string;
  readonly headModelPath: string;
  /** Absent until the first camera message. */
  readonly pose?: Pose;
  readonly hands: Hands;
  /** Absent until the first message with it. */
  readonly doing?: Doing;
  /** Ids of the objects that this person has selected to edit; absent until the first message with it. */
  readonly holds?: readonly string[];
  /** Whether this person's microphone is on; absent until the first message with it. */
  readonly hasAudio?: boolean;
}

/** A chat message. */
export interface Chat {
  readonly idTag: string;
  readonly displayName: string;
  readonly text: string;
  /** Whether this connection sent it. */
  readonly own: boolean;
}

/** An event on an object, to send. */
export interface ClientEvent {
  /** `mousedown`, `mouseup`, `mouseenter`, `mouseleave`, `buttonClick`, … */
  readonly type: string;
  /** The object's id. */
  readonly target: string;
  readonly targetPosition?: Vector3;
  readonly originPosition?: Vector3;
  /** The cause: the camera (default) or a hand. */
  readonly source?: "camera" | Side;
  /** More keys of the event, such as `buttonName`. */
  readonly more?: Attributes;
}

/** A received event of a person. */
export interface ReceivedEvent {
  readonly type: string;
  /** The person's idTag. */
  readonly idTag: string;
  readonly target: string;
  readonly attributes: Attributes;
}

/** A program's command to this person's camera: ARENA's `camera-override` and `rig`. It is not stored. */
export interface CameraOrder {
  readonly type: "camera-override" | "rig";
  readonly attributes: Attributes;
}

/** A refused action. */
export interface Refusal {
  /** A reason of `spec/topics.md` section 2, a reason code in words, or `not connected`. */
  readonly reason: string;
  /** The exceeded limit, if any. */
  readonly limit?: string;
  /** The object's id, if known. */
  readonly objectId?: string;
  /** Number of refusals that this one summarizes. */
  readonly count: number;
}

/** Events of a scene. */
export interface SceneEvents {
  status: Status;
  /** A new snapshot was applied: read objects and people again. */
  reset: undefined;
  /** An object was created, changed or removed. `changed` lists the changed top-level keys of its attributes. */
  object: {
    readonly objectId: string;
    readonly object: SceneObject | null;
    readonly changed: readonly string[];
    /** The author's client id (token 5), if a message caused the change; `stoa` is the realm itself. */
    readonly by?: string;
  };
  /** A person entered, changed or left. */
  person: { readonly idTag: string; readonly person: Person | null };
  chat: Chat;
  clientEvent: ReceivedEvent;
  /** A program moves or turns this person's camera. */
  cameraOrder: CameraOrder;
  refused: Refusal;
}

/** Options of creating or changing an object. */
export interface ChangeOptions {
  /** Keeps the object across restarts of the realm. Default: false for `create`, the stored value for `update`. */
  readonly persist?: boolean;
  /** Seconds until the realm removes the object. */
  readonly ttlS?: number;
  /** `update` only: replace all attributes instead of merging. */
  readonly overwrite?: boolean;
  /** The object's type for `create`, default `object`. An `update` of a known object doesn't change it. */
  readonly type?: string;
  /** Whether {@link SceneSession.undo} reverts the change; default true. False for a page's automatic changes. */
  readonly undoable?: boolean;
}

/** An object that an undo did not change, or only in part, and the reason. */
export interface Left {
  readonly objectId: string;
  /**
   * `changed`: another person changed `keys`. `gone`: it was removed. `carries`: it has new children. `there`: its id
   * is in use again. `hangs`: its parent was removed.
   */
  readonly why: "changed" | "gone" | "carries" | "there" | "hangs";
  /** For `changed`: the top-level keys of the changed attributes. Otherwise empty. */
  readonly keys: readonly string[];
  /** Display name of the last author, if known. */
  readonly by?: string;
}

/** The result of an undo or a redo. */
export interface Undone {
  /** Whether anything changed. */
  readonly done: boolean;
  readonly left: readonly Left[];
}

/** Undo and redo of this person's changes in this visit. */
export interface Undo {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Reverts the last step, except values that another person changed since. */
  undo(): Promise<Undone>;
  /** Repeats the last undone step, except values that another person changed since. */
  redo(): Promise<Undone>;
  /** Makes all changes within `changes` one step. */
  group<T>(changes: () => T): T;
  /** Makes all changes until the call of the returned function one step, such as during a drag. */
  begin(): () => void;
  /** Calls `listener` on each change of the steps, until the returned function is called. */
  follow(listener: () => void): () => void;
}

/** Kinds of movers: a person's head or hand, or an object of the scene. */
export type MoverKind = "head" | Side | "object";

/** A head, hand or object on the motion plane. */
export interface Mover {
  readonly kind: MoverKind;
  /** The id of an object; for a head or hand the person's idTag. */
  readonly name: string;
}

/** Callbacks of {@link Motion.follow}. All three get the same {@link Mover} object. */
export interface MotionListener {
  readonly onEntered: (mover: Mover) => void;
  /**
   * A new pose. `at` is its time on the clock of `performance.now`, as if its frame had the shortest transit time. The
   * array, position in metres and then rotation, is valid during the call.
   */
  readonly onMoved: (mover: Mover, at: number, pose: Float64Array) => void;
  /** The mover disappeared or left the interest set. The person of a head or hand may still be in the scene. */
  readonly onLeft: (mover: Mover) => void;
}

/** Movers of the scene: heads, hands, tracked objects. Without a motion plane, camera messages carry the poses. */
export interface Motion {
  /** The present transport; `null` without a connection. */
  readonly way: "webtransport" | "websocket" | null;
  /**
   * Whether {@link movers} alone decides which heads and hands to draw. It becomes true `MOTION_SETTLED_MS` after a
   * connection opens, when the realm should have announced all movers, MQTT-only people included. It becomes false when
   * no connection has been open for as long. While it is true, a person without a mover is in the scene but outside of
   * this person's interest set. While it is false, draw by camera messages.
   */
  readonly decides: boolean;
  /** Recent jitter in milliseconds. Poses should be drawn this much in the past, plus two ticks. */
  readonly jitterMs: number;
  /** The present movers, without this person's own head and hands. */
  readonly movers: Iterable<Mover>;
  /** Calls `listener` for the present movers and poses, then for changes until the returned function is called. */
  follow(listener: MotionListener): () => void;
}

/** A person's rights to voices. */
export interface FlowRights {
  readonly speak: boolean;
  readonly hear: boolean;
}

/** The heads of a scene as drawn. */
export interface DrawnHeads {
  /** The user's own head; `undefined` before it is drawn. */
  readonly own: Pose | undefined;
  /** The position of another person's head; `undefined` if it isn't known. */
  readonly positionOf: (idTag: string) => Vector3 | undefined;
  /** Whether the user has hidden a person, whose voice is then silent. */
  readonly isHidden: (idTag: string) => boolean;
}

/** Plays the voices of a scene. */
export interface VoicePlayer {
  /** Most voices to receive at once. */
  readonly hears: number;
  /** Returns the plane's end of a new channel, which replaces the one before. `VoicePortReport`s come out of the other. */
  readonly openPort: () => MessagePort;
}

/** Captures this person's voice. */
export interface VoiceSource {
  /** A random 32-bit number, valid as long as the numbers of units go on. */
  readonly epoch: number;
  /** As {@link VoicePlayer.openPort}. `VoicePortRequest`s go into the other end. */
  readonly openPort: () => MessagePort;
}

/** The voices of a scene. Their units go between sound and motion plane past the page. */
export interface SceneVoices {
  /** This person's rights; `null` in a scene without voice, and before the first connection to the motion plane. */
  readonly rights: FlowRights | null;
  /** The idTag of a voice's speaker. */
  speakerOf(voice: number): string | undefined;
  /** Calls `listener` when rights or speakers change, until the returned function is called. */
  follow(listener: () => void): () => void;
  /** Starts or ends hearing. A player stays connected across reconnections. */
  hear(player: VoicePlayer | undefined): void;
  /** Starts or ends speaking. A source stays connected across reconnections. */
  speak(source: VoiceSource | undefined): void;
}

/** An entered scene, of a visible person or an invisible observer. */
export interface SceneSession {
  readonly status: Status;
  readonly me: Me;
  readonly objects: ReadonlyMap<string, SceneObject>;
  /** All people except this connection's own, by idTag. */
  readonly people: ReadonlyMap<string, Person>;
  /** The motion plane's movers. */
  readonly motion: Motion;
  readonly voices: SceneVoices;
  /** Calls `listener` on each event until the returned function is called. */
  on<K extends keyof SceneEvents>(kind: K, listener: (event: SceneEvents[K]) => void): () => void;
  /**
   * Sets the pose of this person's head. Camera messages send it at most every 100 ms, and at least once a second.
   * While the motion plane delivers the head, frames send the pose at once, and camera messages repeat it every 10 s.
   */
  publishCamera(pose: Pose): void;
  /** Sets the pose of a hand; `null` removes it. */
  publishHand(side: Side, pose: Pose | null): void;
  /** Changes this person's appearance or activity. A camera message sends it, about 200 ms later at most. */
  setLooks(looks: Partial<Appearance>): void;
  /**
   * Sets the pose of an object on the motion plane; `null` releases it. The realm lets the first person with edit
   * rights move an object; `holdsObject` returns the realm's decision. Movers beyond `MOTION_OWN_MAX`, head and hands
   * included, are ignored. Without a motion plane the call has no effect.
   */
  moveObject(objectId: string, pose: Pose | null): void;
  /** Whether the realm accepts this person's poses of an object. */
  holdsObject(objectId: string): boolean;
  sendEvent(event: ClientEvent): void;
  sendChat(text: string): void;
  /** Resolves at the realm's acknowledgement, rejects with a `RefusedError` on its refusal. */
  create(objectId: string, attributes: Attributes, options?: ChangeOptions): Promise<void>;
  update(objectId: string, attributes: Attributes, options?: ChangeOptions): Promise<void>;
  remove(objectId: string, options?: Pick<ChangeOptions, "undoable">): Promise<void>;
  /** Undo and redo of this person's changes. */
  readonly undo: Undo;
  /** Requests the scene's history, which needs edit rights. */
  history(query?: HistoryQuery): Promise<History>;
  /** Restores the scene, an object, or one person's changes. Rejects with an `ApiError`. */
  restore(request: RestoreRequest): Promise<Restored>;
  /** Leaves the scene. */
  close(): Promise<void>;
}
