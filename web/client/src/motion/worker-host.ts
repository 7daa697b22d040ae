/**
 * Runs a motion plane in a worker, so that a blocked page interrupts neither its acknowledgements nor its media. Events
 * of one task reach the page in one message.
 */
import type { Clock } from "../clock.ts";
import type { FlowRights } from "../types.ts";
import type { MoverKindByte } from "./frame.ts";
import { ReconnectingMotionConnection } from "./plane.ts";
import type { MotionPlaneListener } from "./plane-listener.ts";
import type { MotionTicket } from "./ticket.ts";
import type { MotionTransports, TransportKind } from "./transport.ts";
import type { MotionPort, MotionWorkerEvent, MotionWorkerReport, MotionWorkerRequest } from "./worker-messages.ts";

/** Dependencies of {@link hostMotionPlane}. */
export interface MotionHostOptions {
  readonly port: MotionPort<MotionWorkerReport, MotionWorkerRequest>;
  readonly transports: MotionTransports;
  readonly clock: Clock;
  readonly random: () => number;
  /** Time zero of `clock`, as `performance.timeOrigin`. */
  readonly timeOrigin: number;
  /** Calls a function once, after the present task. */
  readonly defer: (then: () => void) => void;
  /** Called when the page has closed the plane. */
  readonly onClosed: () => void;
}

/** Starts a motion plane and serves its page. */
export function hostMotionPlane(options: MotionHostOptions): void {
  const { port, transports, clock, random, onClosed } = options;
  const tickets = new TicketRequests(() => port.postMessage({ kind: "ticket" }, []));
  const objects = new Set<string>();
  const listener = new MotionEventBatch(options, () => ({
    carries: plane.carries,
    held: [...objects].filter((objectId) => plane.holds(objectId)),
  }));
  const plane = new ReconnectingMotionConnection({
    ticket: () => tickets.request(),
    transports,
    listener,
    clock,
    random,
  });
  port.onmessage = ({ data }) => {
    if (data.kind === "move") plane.move(data.part, data.pose);
    else if (data.kind === "ticket") tickets.answer(data.ticket, data.failed);
    else if (data.kind === "object") {
      if (data.pose === null) objects.delete(data.objectId);
      else objects.add(data.objectId);
      plane.moveObject(data.objectId, data.pose);
    } else if (data.kind === "hear") plane.hear(data.player);
    else if (data.kind === "speak") plane.speak(data.source);
    else {
      plane.close();
      onClosed();
    }
  };
  void plane.run();
}

/** Requests tickets from the page, which has the scene's token. */
class TicketRequests {
  readonly #ask: () => void;
  #waiting: PromiseWithResolvers<MotionTicket | undefined> | undefined;

  constructor(ask: () => void) {
    this.#ask = ask;
  }

  request(): Promise<MotionTicket | undefined> {
    if (this.#waiting === undefined) {
      this.#waiting = withResolvers();
      this.#ask();
    }
    return this.#waiting.promise;
  }

  answer(ticket: MotionTicket | undefined, failed: boolean): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (failed) waiting?.reject(new Error("no ticket"));
    else waiting?.resolve(ticket);
  }
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** `Promise.withResolvers`, which browsers of 2023 lack. */
function withResolvers<T>(): PromiseWithResolvers<T> {
  let [resolve, reject]: [(value: T) => void, (error: Error) => void] = [() => undefined, () => undefined];
  const promise = new Promise<T>((onValue, onError) => {
    [resolve, reject] = [onValue, onError];
  });
  return { promise, resolve, reject };
}

/** The plane's state that the page reads at once. */
interface MirroredState {
  readonly carries: boolean;
  readonly held: readonly string[];
}

/** Gathers events and posts them in order. */
class MotionEventBatch implements MotionPlaneListener {
  readonly #options: MotionHostOptions;
  readonly #state: () => MirroredState;
  #events: MotionWorkerEvent[] = [];
  /** Poses of the present connection since the last event in `#events`. */
  #poses: number[] = [];
  #connection = 0;
  #jitterMs = 0;
  #isDeferred = false;
  #posted: MirroredState = { carries: false, held: [] };

  constructor(options: MotionHostOptions, state: () => MirroredState) {
    this.#options = options;
    this.#state = state;
  }

  onBegun(connection: number, idTag: string, now: number): void {
    this.#push({ kind: "begun", connection, idTag, now });
  }

  onEntered(connection: number, id: number, mover: MoverKindByte, name: string): void {
    this.#push({ kind: "entered", connection, id, mover, name });
  }

  onLeft(connection: number, id: number): void {
    this.#push({ kind: "left", connection, id });
  }

  onMoved(connection: number, id: number, at: number, pose: Float64Array): void {
    if (connection !== this.#connection) this.#endPoses();
    this.#connection = connection;
    this.#poses.push(id, at, ...pose);
    this.#defer();
  }

  onVoice(voice: number, idTag: string): void {
    this.#push({ kind: "voice", voice, idTag });
  }

  onFlowRights(rights: FlowRights | null): void {
    this.#push({ kind: "rights", rights });
  }

  onOpened(transport: TransportKind): void {
    this.#push({ kind: "opened", transport });
  }

  onEnded(now: number): void {
    this.#push({ kind: "ended", now });
  }

  onJitter(jitterMs: number): void {
    this.#jitterMs = jitterMs;
  }

  /** Posts a changed state. The page has a clock of its own. */
  onTime(): void {
    const { carries, held } = this.#state();
    const isPosted = carries === this.#posted.carries && held.join("\n") === this.#posted.held.join("\n");
    if (!isPosted) this.#defer();
  }

  onRefused(): void {
    this.#push({ kind: "refused" });
  }

  #push(event: MotionWorkerEvent): void {
    this.#endPoses();
    this.#events.push(event);
    this.#defer();
  }

  #endPoses(): void {
    if (this.#poses.length === 0) return;
    this.#events.push({ kind: "moved", connection: this.#connection, poses: Float64Array.from(this.#poses) });
    this.#poses = [];
  }

  #defer(): void {
    if (this.#isDeferred) return;
    this.#isDeferred = true;
    this.#options.defer(() => this.#post());
  }

  #post(): void {
    this.#isDeferred = false;
    this.#endPoses();
    const events = this.#events;
    this.#events = [];
    this.#posted = this.#state();
    const { port, timeOrigin } = this.#options;
    const transfer = events.flatMap((event) => (event.kind === "moved" ? [event.poses.buffer] : []));
    port.postMessage({ kind: "events", timeOrigin, events, jitterMs: this.#jitterMs, ...this.#posted }, transfer);
  }
}
