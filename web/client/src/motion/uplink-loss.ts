/** Measures which share of a client's frames gets lost, from the server's acknowledgements. Pure. */
import { UPLINK_LOSS_FRAMES } from "../limits.ts";
import type { Ack } from "./frame.ts";
import { ahead } from "./replica.ts";

/** The share of lost frames, smoothed over some periods of `UPLINK_LOSS_FRAMES`. */
export class UplinkLoss {
  #since: Ack | undefined;
  #lostPerMille = 0;

  get lostPerMille(): number {
    return this.#lostPerMille;
  }

  /** Handles an acknowledgement. Reordered ones are ignored. */
  handleAck(ack: Ack): void {
    if (this.#since === undefined) {
      this.#since = ack;
      return;
    }
    const [sent, received] = [ahead(ack.newest, this.#since.newest), ahead(ack.received, this.#since.received)];
    if (sent < UPLINK_LOSS_FRAMES || received < 0) return;
    const lost = 1_000 * Math.max(1 - received / sent, 0);
    this.#lostPerMille += (lost - this.#lostPerMille) / 2;
    this.#since = ack;
  }
}
