/**
 * Frames that wait for a transport that is busy. Only the newest frame of poses is worth sending. Voice needs each
 * frame, but none that would be played too late. Pure: time is an argument.
 */
import { MOTION_VOICE_AGE_MS_MAX, MOTION_VOICE_QUEUED_BYTES_MAX } from "../limits.ts";
import type { FrameClass } from "./transport.ts";

interface QueuedVoiceFrame {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly queuedAt: number;
}

/** The queue in front of one transport. */
export class UpwardQueue {
  #poses: Uint8Array<ArrayBuffer> | undefined;
  #voice: QueuedVoiceFrame[] = [];
  #voiceBytes = 0;

  /** Whether no frame waits. Frames of voice that became too old count until the next `take`. */
  get isEmpty(): boolean {
    return this.#poses === undefined && this.#voice.length === 0;
  }

  /** Copies a frame into the queue. Poses replace the waiting ones. Voice drops its oldest frames to make room. */
  put(frame: Uint8Array, frameClass: FrameClass, now: number): void {
    const bytes = frame.slice();
    if (frameClass === "poses") {
      this.#poses = bytes;
      return;
    }
    this.#voice.push({ bytes, queuedAt: now });
    this.#voiceBytes += bytes.length;
    while (this.#voiceBytes > MOTION_VOICE_QUEUED_BYTES_MAX) this.#shiftVoice();
  }

  /** Removes and returns the next frame: voice that is not too old, oldest first, then poses. */
  take(now: number): Uint8Array<ArrayBuffer> | undefined {
    for (let voice = this.#shiftVoice(); voice !== undefined; voice = this.#shiftVoice())
      if (now - voice.queuedAt <= MOTION_VOICE_AGE_MS_MAX) return voice.bytes;
    const poses = this.#poses;
    this.#poses = undefined;
    return poses;
  }

  #shiftVoice(): QueuedVoiceFrame | undefined {
    const oldest = this.#voice.shift();
    this.#voiceBytes -= oldest?.bytes.length ?? 0;
    return oldest;
  }
}
