/**
 * An entered scene, which reconnects by itself: the `Session` behind {@link SceneSession}. It does the I/O (HTTP, MQTT,
 * motion plane, timers) for the state machines in `replica.ts`, `pose-outbox.ts`, `pending-changes.ts`, `silence.ts`
 * and `back-off.ts`.
 */
import type { Admission, Api } from "./api.ts";
import { BackOff } from "./back-off.ts";
import type { Clock } from "./clock.ts";
import type { Ended, Outgoing } from "./connection.ts";
import { ApiError, ClosedError, type Hindrance, hindranceOf, LostError, RefusedError, wordsOf } from "./errors.ts";
import { claimsOf, publishRefusal } from "./grant.ts";
import type { History, HistoryQuery, Restored, RestoreRequest } from "./history.ts";
import {
  ATTEMPT_MS,
  FROZEN_MS,
  MOTION_TICKET_MS,
  POSE_PERIOD_MS,
  RENEWAL_MS_MIN,
  RENEWAL_RETRY_MS,
  RENEWAL_S,
  SNAPSHOT_PAUSE_MS,
} from "./limits.ts";
import { Listeners } from "./listeners.ts";
import { MotionFeed } from "./motion/feed.ts";
import type { OpenMotionPlane } from "./motion/open-plane.ts";
import type { MotionPlane } from "./motion/plane-listener.ts";
import type { MotionTicket } from "./motion/ticket.ts";
import * as payloads from "./payloads.ts";
import { PendingChanges } from "./pending-changes.ts";
import { handId, shownName } from "./people.ts";
import { type DuePose, type PosedBodyPart, PoseOutbox } from "./pose-outbox.ts";
import { type ReplicaEvent, SceneReplica } from "./replica.ts";
import { AdmittedConnection, type SceneConnectionOptions } from "./scene-connection.ts";
import { SilenceDetector } from "./silence.ts";
import { sceneTopic } from "./topic.ts";
import type {
  Appearance,
  Attributes,
  ChangeOptions,
  ClientEvent,
  Me,
  Pose,
  SceneEvents,
  SceneSession,
  Side,
  Status,
  Undo,
} from "./types.ts";
import type { RealmChangeRequest } from "./undo.ts";
import { UndoStack } from "./undo-stack.ts";

/** A change to send. */
interface ObjectChangeMessage {
  readonly objectId: string;
  readonly payload: string;
}

/** Dependencies and options of a session. */
export interface SessionOptions extends SceneConnectionOptions {
  readonly api: Api;
  readonly clock: Clock;
  readonly random: () => number;
  readonly displayName: string | undefined;
  readonly start: Pose;
  /** Opens the motion plane. Until it is open, and without it, camera messages carry the poses. */
  readonly openMotionPlane: OpenMotionPlane;
}

/** Kinds of movers on the motion plane. */
const KINDS = { camera: 0, left: 1, right: 2 } as const;

/** The implementation of {@link SceneSession}. */
export class Session implements SceneSession {
  readonly #options: SessionOptions;
  readonly #listeners = new Listeners<SceneEvents>();
  readonly #replica: SceneReplica;
  readonly #poses = new PoseOutbox();
  readonly #feed = new MotionFeed();
  #plane: MotionPlane | undefined;
  readonly #changes: PendingChanges;
  readonly #undo: UndoStack;
  readonly #backOff: BackOff;
  #silence = new SilenceDetector(0);
  /** `undefined` for an invisible observer. */
  #looks: Appearance | undefined;
  #status: Status = { kind: "connecting" };
  #connection: AdmittedConnection | undefined;
  #me: Me | undefined;
  #renewAt = Number.POSITIVE_INFINITY;
  #renewal: Admission | undefined;
  #liveSince: number | undefined;
  #tickAt = 0;
  #snapshotting = false;
  #snapshotNotBefore = 0;
  #endPause: (() => void) | undefined;
  /** Ends the present connection. Each connection has its own function, so a comparison detects an outdated one. */
  #endConnection: (ended: Ended) => void = () => undefined;
  #cancelTick: () => void = () => undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#looks = options.looks;
    this.#replica = new SceneReplica(options.scene);
    this.#backOff = new BackOff(options.random);
    this.#changes = new PendingChanges((objectId, error) =>
      this.#emit("refused", {
        reason: error.reason,
        objectId,
        count: 1,
        ...(error.limit !== undefined && { limit: error.limit }),
      }),
    );
    this.#undo = new UndoStack({
      objects: this.#replica.objects,
      now: () => options.clock.now(),
      send: (request) => this.#send(request),
    });
    this.#poses.handlePose("camera", options.start);
  }

  get status(): Status {
    return this.#status;
  }

  get me(): Me {
    if (this.#me === undefined) throw new LostError("not connected yet, so the identity is unknown");
    return this.#me;
  }

  get objects(): SceneSession["objects"] {
    return this.#replica.objects;
  }

  get people(): SceneSession["people"] {
    return this.#replica.people;
  }

  get motion(): SceneSession["motion"] {
    return this.#feed;
  }

  get voices(): SceneSession["voices"] {
    return this.#feed.voices;
  }

  /** Numbers of ignored messages by reason. */
  get ignored(): ReadonlyMap<string, number> {
    return this.#replica.ignored;
  }

  on<K extends keyof SceneEvents>(kind: K, listener: (event: SceneEvents[K]) => void): () => void {
    return this.#listeners.on(kind, listener);
  }

  /** Stays connected until the scene is left or refused. */
  async run(): Promise<void> {
    let ended: Ended | undefined;
    while (!this.#isOver) {
      this.#liveSince = undefined;
      ended = await this.#connectOnce(ended);
      if (this.#isOver) return;
      if (ended.final) return this.#refuse(ended);
      const kind = this.#me === undefined ? "connecting" : "reconnecting";
      this.#setStatus({ kind, reason: ended.reason, ...hindranceField(ended) });
      if (this.#renewal !== undefined) continue;
      await this.#pause(this.#backOff.nextMs(this.#livedMs));
    }
  }

  publishCamera(pose: Pose): void {
    this.#move("camera", pose);
  }

  publishHand(side: Side, pose: Pose | null): void {
    this.#move(side, pose);
  }

  setLooks(looks: Partial<Appearance>): void {
    if (this.#looks === undefined) return;
    this.#looks = { ...this.#looks, ...looks };
    this.#poses.handleLooks();
  }

  moveObject(objectId: string, pose: Pose | null): void {
    this.#plane?.moveObject(objectId, pose);
  }

  holdsObject(objectId: string): boolean {
    return this.#plane?.holds(objectId) ?? false;
  }

  sendEvent(event: ClientEvent): void {
    const { idTag } = this.me;
    const { source = "camera" } = event;
    const sourceId = source === "camera" ? idTag : handId(source, idTag);
    this.#publishNow((connection) => ({
      topic: connection.topic("u", sourceId),
      payload: payloads.eventPayload(sourceId, event),
      acknowledged: true,
    }));
  }

  sendChat(text: string): void {
    this.#publishNow((connection) => ({
      topic: connection.topic("c", connection.me.idTag),
      payload: payloads.chatPayload(connection.me, text),
      acknowledged: true,
    }));
  }

  get undo(): Undo {
    return this.#undo;
  }

  create(objectId: string, attributes: Attributes, options: ChangeOptions = {}): Promise<void> {
    const note = options.undoable === false ? undefined : this.#undo.noteCreate(objectId, attributes, options);
    return this.#change({ objectId, payload: payloads.createPayload(objectId, attributes, options) }, note);
  }

  update(objectId: string, attributes: Attributes, options: ChangeOptions = {}): Promise<void> {
    const known = this.objects.get(objectId);
    const complete = known === undefined ? options : { persist: known.persist, type: known.type, ...options };
    const note = options.undoable === false ? undefined : this.#undo.noteUpdate(objectId, attributes, complete);
    return this.#change({ objectId, payload: payloads.updatePayload(objectId, attributes, complete) }, note);
  }

  remove(objectId: string, options: Pick<ChangeOptions, "undoable"> = {}): Promise<void> {
    const note = options.undoable === false ? undefined : this.#undo.noteRemove(objectId);
    return this.#change({ objectId, payload: payloads.deletePayload(objectId) }, note);
  }

  async history(query: HistoryQuery = {}): Promise<History> {
    return await this.#options.api.history(this.#options.scene, query, this.#token);
  }

  async restore(request: RestoreRequest): Promise<Restored> {
    return await this.#options.api.restore(this.#options.scene, request, this.#token);
  }

  async close(): Promise<void> {
    if (this.#status.kind === "closed") return;
    this.#setStatus({ kind: "closed" });
    this.#changes.handleClosed();
    this.#cancelTick();
    this.#plane?.close();
    this.#feed.clear();
    this.#endPause?.();
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.close();
    this.#endConnection({ reason: "the scene was left", final: false });
  }

  get #isOver(): boolean {
    return this.#status.kind === "closed" || this.#status.kind === "refused";
  }

  get #livedMs(): number {
    return this.#liveSince === undefined ? 0 : this.#options.clock.now() - this.#liveSince;
  }

  /** Opens a connection; resolves when it has ended or could not be opened. `before` is the previous one's end. */
  async #connectOnce(before: Ended | undefined): Promise<Ended> {
    const over = new Promise<Ended>((resolve) => {
      this.#endConnection = resolve;
    });
    // An answer to this attempt may arrive during a later one, and must not end that.
    const endConnection = this.#endConnection;
    const cancelTimeout = this.#options.clock.after(ATTEMPT_MS, () =>
      endConnection({ reason: "the server did not answer in time", final: false }),
    );
    this.#open(before, cancelTimeout).catch((error: unknown) => endConnection(endedBy(error)));
    const ended = await over;
    cancelTimeout();
    this.#cancelTick();
    this.#plane?.close();
    this.#changes.handleEnded();
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection !== undefined) void connection.mqtt.close().catch(() => undefined);
    return ended;
  }

  /** Opens a connection. `cancelTimeout` is called once it is live. */
  async #open(before: Ended | undefined, cancelTimeout: () => void): Promise<void> {
    const { clock } = this.#options;
    const endConnection = this.#endConnection;
    const admission = this.#renewal ?? (await this.#admission());
    if (this.#endConnection !== endConnection || this.#isOver) return;
    this.#renewal = undefined;
    if (before === undefined) this.#setStatus({ kind: "connecting" });
    // Messages may arrive before `open` resolves. The replica holds them back.
    this.#adoptIdentity(admission);
    const connection = await AdmittedConnection.open({ ...this.#options, looks: this.#looks }, admission, {
      onMessage: (delivery) => {
        if (this.#endConnection === endConnection && !this.#isOver)
          this.#dispatch(this.#replica.handleMessage(delivery, clock.now()));
      },
      onHeard: () => {
        if (this.#endConnection === endConnection) this.#handleHeard();
      },
      onEnded: endConnection,
      meOf: () => this.me,
    });
    if (this.#endConnection !== endConnection || this.#isOver) return void (await connection.close());
    this.#connection = connection;
    this.#announce(connection);
    this.#tickAt = clock.now();
    this.#silence = new SilenceDetector(clock.now());
    this.#tick();
    await this.#takeSnapshot(connection);
    if (this.#connection !== connection) return;
    cancelTimeout();
    this.#changes.handleOpened({ connection: connection.mqtt, topicOf: (objectId) => connection.topic("o", objectId) });
    this.#liveSince = clock.now();
    this.#setStatus({ kind: "live" });
    this.#enterPlane(connection);
  }

  /** Starts the motion plane, without waiting for it. */
  #enterPlane(connection: AdmittedConnection): void {
    const { openMotionPlane, random, looks } = this.#options;
    const ticket = () => this.#motionTicket(connection.admission.token);
    const plane = openMotionPlane({ ticket, listener: this.#feed, random });
    this.#plane = plane;
    this.#feed.voices.handlePlane(plane);
    if (looks !== undefined) for (const [part, pose] of this.#poses.present) plane.move(KINDS[part], pose);
  }

  /** Requests a ticket to the motion plane. Rejects if another request may succeed. */
  async #motionTicket(token: string): Promise<MotionTicket | undefined> {
    const { api, scene, clock } = this.#options;
    const timeout = new AbortController();
    const cancel = clock.after(MOTION_TICKET_MS, () => timeout.abort());
    try {
      return await api.motionTicket(scene, token, timeout.signal);
    } catch (error) {
      return missingIfFinal(error);
    } finally {
      cancel();
    }
  }

  #move(part: PosedBodyPart, pose: Pose | null): void {
    this.#poses.handlePose(part, pose);
    if (this.#options.looks !== undefined) this.#plane?.move(KINDS[part], pose);
    this.#sendPoses();
  }

  /** Requests a token without the old one as bearer, which would limit the new token to the old rights and lifetime. */
  #admission(): Promise<Admission> {
    const { api, scene, displayName } = this.#options;
    return api.admission({ scene, ...(displayName === undefined ? {} : { displayName }) });
  }

  #adoptIdentity(admission: Admission): void {
    const { username, role, guest, idTag, userClient } = admission;
    const { clock, displayName } = this.#options;
    const mayBuild = this.#mayEditObjects(admission);
    this.#me = { username, role, guest, idTag, userClient, displayName: displayName ?? username, mayBuild };
    const life = admission.expiresAt * 1_000 - clock.now() - RENEWAL_S * 1_000;
    this.#renewAt = clock.now() + Math.max(life, RENEWAL_MS_MIN);
    this.#dispatch(this.#replica.handleConnected(idTag));
  }

  #mayEditObjects({ token, userClient, role }: Admission): boolean {
    const claims = claimsOf(token);
    if (claims === undefined) return role !== "viewer";
    const topic = sceneTopic({ scene: this.#options.scene, kind: "o", userClient, uuid: "object" });
    const context = { claims, clientId: userClient, now: this.#options.clock.now() / 1_000 };
    return publishRefusal(context, topic) === undefined;
  }

  #announce(connection: AdmittedConnection): void {
    const { start } = this.#options;
    for (const message of connection.announce(this.#poses.camera ?? start)) this.#publish(connection, message);
    this.#poses.handleAnnounced(this.#options.clock.now());
  }

  /** Notes received bytes, which end a silence. */
  #handleHeard(): void {
    if (this.#silence.handleHeard(this.#options.clock.now()) && this.#status.kind === "silent")
      this.#setStatus({ kind: "live" });
  }

  #checkSilence(connection: AdmittedConnection, now: number): void {
    const sign = this.#silence.handleTick(now);
    if (sign === "ask") connection.mqtt.ask();
    else if (sign === "fell" && this.#status.kind === "live") this.#setStatus({ kind: "silent" });
  }

  /** Runs ten times a second: poses, heartbeat, silence, missing revisions, frozen tabs, the token's renewal. */
  #tick(): void {
    const { clock } = this.#options;
    const now = clock.now();
    const connection = this.#connection;
    if (connection === undefined) return;
    if (now - this.#tickAt >= FROZEN_MS) this.#replica.handleDoubt();
    this.#tickAt = now;
    this.#checkSilence(connection, now);
    this.#sendPoses();
    const idle = !this.#snapshotting && this.#status.kind === "live" && now >= this.#snapshotNotBefore;
    if (idle && this.#replica.wantsSnapshot(now))
      this.#takeSnapshot(connection).catch((error: unknown) => {
        if (this.#connection === connection) this.#endConnection(endedBy(error));
      });
    if (now >= this.#renewAt) this.#renew();
    this.#cancelTick = clock.after(POSE_PERIOD_MS, () => this.#tick());
  }

  /** Requests a new token while the old one is valid, then reconnects with it. */
  #renew(): void {
    const endConnection = this.#endConnection;
    this.#renewAt = this.#options.clock.now() + RENEWAL_RETRY_MS;
    this.#admission().then(
      (admission) => {
        if (this.#endConnection !== endConnection) return;
        this.#renewal = admission;
        endConnection({ reason: "the token is renewed", final: false });
      },
      (error: unknown) => {
        if (endedBy(error).final) endConnection(endedBy(error));
      },
    );
  }

  async #takeSnapshot(connection: AdmittedConnection): Promise<void> {
    const { api, clock, scene } = this.#options;
    this.#snapshotting = true;
    this.#replica.handleSnapshotRequested(clock.now());
    try {
      const snapshot = await api.snapshot(scene, connection.admission.token);
      if (this.#connection === connection) this.#dispatch(this.#replica.handleSnapshot(snapshot, clock.now()));
    } finally {
      this.#snapshotting = false;
      this.#snapshotNotBefore = clock.now() + SNAPSHOT_PAUSE_MS;
    }
  }

  #sendPoses(): void {
    const connection = this.#connection;
    const looks = this.#looks;
    if (connection === undefined || looks === undefined) return;
    this.#poses.isCarried = this.#plane?.carries ?? false;
    for (const due of this.#poses.takeDue(this.#options.clock.now()))
      this.#publish(connection, poseMessage(connection, due, looks));
  }

  #publishNow(make: (connection: AdmittedConnection) => Outgoing): void {
    if (this.#connection === undefined) this.#emit("refused", { reason: "not connected", count: 1 });
    else this.#publish(this.#connection, make(this.#connection));
  }

  #publish(connection: AdmittedConnection, message: Outgoing): void {
    connection.mqtt.publish(message).catch((error: unknown) => {
      if (error instanceof RefusedError) this.#emit("refused", { reason: error.reason, count: 1 });
    });
  }

  get #token(): string {
    if (this.#connection === undefined) throw new LostError("the server can't be reached now");
    return this.#connection.admission.token;
  }

  #change(said: ObjectChangeMessage, note?: (done: Promise<void>) => void): Promise<void> {
    const { objectId, payload } = said;
    const done = this.#isOver ? Promise.reject(new ClosedError()) : this.#changes.add(objectId, payload);
    note?.(done);
    return done;
  }

  #send(request: RealmChangeRequest): Promise<void> {
    const { kind, objectId } = request;
    if (kind === "remove") return this.remove(objectId, { undoable: false });
    return this[kind](objectId, request.attributes, { ...request.options, undoable: false });
  }

  /** Reports foreign changes to the undo stack. */
  #noteForeignChange({ objectId, changed, by }: SceneEvents["object"]): void {
    if (by === undefined || by === this.#me?.userClient) return;
    const person = [...this.people.values()].find(({ userClient }) => userClient === by);
    this.#undo.handleOthers(objectId, changed, person && shownName(person));
  }

  #dispatch(events: readonly ReplicaEvent[]): void {
    for (const event of events) this.#report(event);
  }

  #report<K extends keyof SceneEvents>({ kind, event }: ReplicaEvent<K>): void {
    if (kind === "object" && event !== undefined && "changed" in event) this.#noteForeignChange(event);
    this.#emit(kind, event);
  }

  #emit<K extends keyof SceneEvents>(kind: K, event: SceneEvents[K]): void {
    this.#listeners.emit(kind, event);
  }

  #refuse(ended: Ended): void {
    const { reason } = ended;
    this.#setStatus({ kind: "refused", reason, ...hindranceField(ended) });
    this.#changes.handleClosed(new RefusedError(reason));
  }

  #setStatus(status: Status): void {
    this.#status = status;
    this.#emit("status", status);
  }

  #pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(delayMs, resolve);
      this.#endPause = () => {
        cancel();
        resolve();
      };
    });
  }
}

/** Rethrows a failure after which another request may succeed. */
function missingIfFinal(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.isTransient) throw error;
  return undefined;
}

function poseMessage(connection: AdmittedConnection, due: DuePose, looks: Appearance): Outgoing {
  const { idTag } = connection.me;
  if (due.part === "camera") {
    const pose = due.pose ?? { position: [0, 0, 0], rotation: [0, 0, 0, 1] };
    return {
      topic: connection.topic("u", idTag),
      payload: payloads.cameraPayload("update", connection.me, pose, looks),
      acknowledged: false,
    };
  }
  const objectId = handId(due.part, idTag);
  return {
    topic: connection.topic("u", objectId),
    payload: payloads.handPayload(objectId, idTag, due.pose, due.first),
    acknowledged: false,
  };
}

/** Converts an error to the end of a connection. Refusals and lasting API errors are final. */
function endedBy(error: unknown): Ended {
  const final = error instanceof ApiError ? !error.isTransient : error instanceof RefusedError;
  const hindrance = hindranceOf(error);
  return { reason: wordsOf(error), final, ...(hindrance === undefined ? {} : { hindrance }) };
}

function hindranceField({ hindrance }: Ended): { readonly hindrance?: Hindrance } {
  return hindrance === undefined ? {} : { hindrance };
}
