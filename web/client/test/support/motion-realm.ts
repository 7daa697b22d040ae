import type { MoverKindByte } from "../../src/motion/frame.ts";
import { type PackedPose, packPosition, packRotation } from "../../src/motion/pose.ts";
import type {
  MotionTransport,
  MotionTransports,
  OpenTransport,
  TransportKind,
  TransportListener,
} from "../../src/motion/transport.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** Builds one frame of the realm. */
export class DownFrame {
  readonly #bytes: number[];

  constructor(sequence: number, timeMs: number) {
    this.#bytes = [1, ...integer(sequence, 4), ...integer(timeMs, 4)];
  }

  /** Appends a part. */
  part(kind: number, content: readonly number[]): this {
    this.#bytes.push(kind, ...integer(content.length, 2), ...content);
    return this;
  }

  /** Appends change `number`, an `entered`. */
  entered(number: number, who: { id: number; kind: MoverKindByte; name: string; x: number }): this {
    const name = [...new TextEncoder().encode(who.name)];
    const head = [1, ...integer(who.id, 2), who.kind, name.length, ...name];
    return this.part(4, [...integer(number, 4), ...head, 0, 0, ...poseBytes(who.x)]);
  }

  left(number: number, id: number): this {
    return this.part(4, [...integer(number, 4), 0, ...integer(id, 2)]);
  }

  baseline(id: number, x: number, generation = 1): this {
    return this.part(3, [...integer(id, 2), 0, generation, ...poseBytes(x)]);
  }

  /** Appends a pose update, `byMm` on x from baseline `generation`. */
  pose(id: number, byMm: number, generation = 0): this {
    return this.part(2, [...integer(id, 2), 0, (generation << 3) | 2, ...integer(byMm, 2), 0, 0, 0, 0]);
  }

  /** Appends an acknowledgement of `received` frames up to `newest`. */
  acked(newest: number, received: number): this {
    return this.part(1, [...integer(newest, 4), ...integer(received, 4), ...Array.from({ length: 12 }, () => 0)]);
  }

  refused(index: number, reason: number): this {
    return this.part(6, [index, reason]);
  }

  get bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

function integer(value: number, width: number): number[] {
  return Array.from({ length: width }, (_, at) => (value >>> (8 * at)) & 0xff);
}

function poseBytes(x: number): number[] {
  const packed: PackedPose = {
    position: packPosition([x, 0, 0]) ?? [0, 0, 0],
    rotation: packRotation([0, 0, 0, 1]) ?? new Uint8Array(5),
  };
  return [...packed.position.flatMap((axis) => integer(axis, 4)), ...packed.rotation];
}

/** A transport to the motion realm. */
export class FakeTransport implements MotionTransport {
  readonly kind: TransportKind;
  readonly url: string;
  readonly sent: Uint8Array[] = [];
  readonly #listener: TransportListener;
  isOpen = true;

  constructor(kind: TransportKind, url: string, listener: TransportListener) {
    [this.kind, this.url, this.#listener] = [kind, url, listener];
  }

  send(frame: Uint8Array): void {
    if (this.isOpen) this.sent.push(frame.slice());
  }

  deliver(frame: DownFrame): void {
    this.#listener.onFrame(frame.bytes);
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#listener.onEnded();
  }
}

/** Opens transports as the test sets: `opens`, `fails` at once, or `hangs` until aborted. */
export class MotionRealm {
  readonly opened: FakeTransport[] = [];
  readonly asked: TransportKind[] = [];
  webTransport: "opens" | "fails" | "hangs" = "opens";
  webSocket: "opens" | "fails" | "hangs" = "opens";
  tickets = 0;
  /** How long transports take to open, by this clock. */
  opening: { readonly clock: VirtualClock; readonly ms: number } | undefined;
  /** Called when a transport opens, before its promise resolves. */
  onOpening: () => void = () => undefined;
  /** Fields of the ticket beside the ids. */
  offer: Readonly<Record<string, unknown>> = {
    webtransport: { url: "https://realm.test:8443/motion?ticket=t", certificate_hashes: ["AAEC"] },
    websocket: { url: "wss://realm.test:8443/motion?ticket=t" },
  };

  readonly ways: MotionTransports = {
    webTransport: (offer, listener, signal) =>
      this.#open("webtransport", this.webTransport, { offer, listener, signal }),
    webSocket: (offer, listener, signal) => this.#open("websocket", this.webSocket, { offer, listener, signal }),
  };

  get way(): FakeTransport {
    const way = this.opened.at(-1);
    if (way === undefined) throw new Error("no way was opened");
    return way;
  }

  answer(idTag: string): unknown {
    this.tickets += 1;
    return { id_tag: idTag, user_client: `${idTag}_web`, expires_s: 10, ...this.offer };
  }

  /** Delivers empty frames, so that the connection is not silent. */
  async keepAlive(clock: VirtualClock, forMs: number): Promise<void> {
    for (let passed = 0; passed < forMs; passed += 1_000) {
      this.way.deliver(new DownFrame(100_000 + passed + (clock.now() % 1_000_000), clock.now() >>> 0));
      await clock.advance(1_000);
    }
  }

  #open(
    kind: TransportKind,
    manner: "opens" | "fails" | "hangs",
    { offer, listener, signal }: Opening,
  ): ReturnType<OpenTransport<unknown>> {
    this.asked.push(kind);
    if (manner === "fails") return Promise.reject(new Error("nobody answers"));
    if (manner === "hangs")
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("given up"))));
    const begin = () => {
      const way = new FakeTransport(kind, offer.url, listener);
      signal.addEventListener("abort", () => way.close(), { once: true });
      this.opened.push(way);
      this.onOpening();
      return way;
    };
    const { opening } = this;
    if (opening === undefined) {
      const way = begin();
      return Promise.resolve().then(() => way);
    }
    return new Promise((resolve, reject) => {
      const cancel = opening.clock.after(opening.ms, () => resolve(begin()));
      signal.addEventListener("abort", () => {
        cancel();
        reject(new Error("given up"));
      });
    });
  }
}

interface Opening {
  readonly offer: { readonly url: string };
  readonly listener: TransportListener;
  readonly signal: AbortSignal;
}
