/** The voices that one connection delivers. Pure. */
import { DECLARED_FLOWS_MAX } from "../limits.ts";
import { entriesOf, PART, type UndecodedFrame } from "./frame.ts";
import { type ReceivedUnit, voiceOf } from "./voice-link.ts";

/** Receives the events of {@link IncomingVoices}. */
export interface IncomingVoicesListener {
  /** A voice, and the idTag of its speaker. */
  readonly onVoice: (voice: number, idTag: string) => void;
  readonly onUnit: (unit: ReceivedUnit) => void;
  /** The server's estimate of the rate at which this client may send, in bytes a second. */
  readonly onUplink: (bytesPerS: number) => void;
}

/** Keeps the declared flows of one connection and passes their units on. */
export class IncomingVoices {
  readonly #listener: IncomingVoicesListener;
  /** IdTags of speakers by voice, the oldest declaration first. */
  readonly #declared = new Map<number, string>();

  constructor(listener: IncomingVoicesListener) {
    this.#listener = listener;
  }

  /** Handles the parts of a new frame. Units of undeclared flows are ignored. */
  handleFrame({ parts }: UndecodedFrame): void {
    for (const part of parts) {
      if (part.kind !== PART.flow && part.kind !== PART.units && part.kind !== PART.uplink) continue;
      for (const entry of entriesOf(part)) {
        if (entry.kind === "flow") this.#declare(voiceOf(entry.declared), entry.declared.name);
        else if (entry.kind === "uplink") this.#listener.onUplink(entry.bytesPerS);
        else if (entry.kind === "unit") {
          const { number, capturedMs, level, payload } = entry.unit;
          const voice = voiceOf(entry.unit);
          if (this.#declared.has(voice) && entry.unit.layer === 0)
            this.#listener.onUnit({ voice, number, capturedMs, level, payload: payload.slice() });
        }
      }
    }
  }

  #declare(voice: number, idTag: string): void {
    if (this.#declared.get(voice) === idTag) return;
    this.#declared.delete(voice);
    this.#declared.set(voice, idTag);
    const [oldest] = this.#declared.keys();
    if (this.#declared.size > DECLARED_FLOWS_MAX && oldest !== undefined) this.#declared.delete(oldest);
    this.#listener.onVoice(voice, idTag);
  }
}
