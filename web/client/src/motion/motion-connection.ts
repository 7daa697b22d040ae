/** One connection to the motion plane, from the attempt to open its transport until its end. */
import type { Clock } from "../clock.ts";
import { MotionSession } from "./motion-session.ts";
import type { MotionPlaneListener } from "./plane-listener.ts";
import type { PlaneVoices } from "./plane-voices.ts";
import { MotionReplica } from "./replica.ts";
import type { MotionTransport, TransportKind } from "./transport.ts";

/** Arguments of a {@link MotionConnection}. */
export interface MotionConnectionOptions {
  readonly kind: TransportKind;
  /** The connection's number in its plane. */
  readonly number: number;
  readonly idTag: string;
  readonly clock: Clock;
  readonly listener: MotionPlaneListener;
  readonly voices: PlaneVoices;
}

/** A transport's session, whose events reach the plane's listener until the connection ends. */
export class MotionConnection {
  readonly kind: TransportKind;
  readonly session: MotionSession;
  /** Resolves when the connection has ended. */
  readonly over: Promise<void>;
  readonly #options: MotionConnectionOptions;
  #resolveOver: () => void = () => undefined;
  #openedAt = Number.NaN;
  #hasBegun = false;

  constructor(options: MotionConnectionOptions) {
    const { kind, idTag, clock, listener, voices } = options;
    [this.#options, this.kind] = [options, kind];
    const onJitter = (jitterMs: number) => listener.onJitter(jitterMs);
    this.session = new MotionSession({
      idTag,
      clock,
      replica: this.#newReplica(),
      onJitter,
      voices: {
        onVoice: (voice, speaker) => listener.onVoice(voice, speaker),
        onUnit: (unit) => voices.handleUnit(unit),
        onUplink: (bytesPerS) => voices.handleUplink({ bytesPerS, lostPerMille: this.session.lostPerMille }),
      },
    });
    this.over = new Promise((resolve) => {
      this.#resolveOver = resolve;
    });
  }

  /** Time since the transport opened. */
  get ageMs(): number {
    return this.#options.clock.now() - this.#openedAt;
  }

  /** Reports the connection to the listener, once. The movers of an earlier connection count until then. */
  begin(): void {
    const { number, idTag, clock, listener } = this.#options;
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    listener.onBegun(number, idTag, clock.now());
  }

  /** Starts sending on the open transport. */
  handleOpened(transport: MotionTransport): void {
    this.#openedAt = this.#options.clock.now();
    this.session.handleOpened(transport);
  }

  handleFrame(bytes: Uint8Array): void {
    this.begin();
    this.session.handleFrame(bytes);
  }

  end(): void {
    this.session.close();
    this.#resolveOver();
  }

  #newReplica(): MotionReplica {
    const { number, listener } = this.#options;
    const replica = new MotionReplica();
    const report = (event: () => void) => {
      if (!this.session.isOver) event();
    };
    replica.onEntered = ({ id, kind, name }) => report(() => listener.onEntered(number, id, kind, name));
    replica.onLeft = ({ id }) => report(() => listener.onLeft(number, id));
    replica.onMoved = ({ id }, at, pose) => {
      if (!this.session.isOver) listener.onMoved(number, id, at, pose);
    };
    return replica;
  }
}
