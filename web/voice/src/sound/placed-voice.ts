/** One voice in space: two panners of which one sounds, so that a change of the method makes no click. */
import type { Vector3 } from "@stoa/client";
import { PANNER_FADE_S, PANNER_STARTS_S, POSITION_EASE_S } from "../limits.ts";
import type { VoiceFading } from "./loudness.ts";

/** The voice of one output of the player. */
export class PlacedVoice {
  readonly #context: BaseAudioContext;
  readonly #input: GainNode;
  readonly #output: AudioNode;
  readonly #flat: PannerNode;
  readonly #flatGain: GainNode;
  #hrtf: { readonly panner: PannerNode; readonly gain: GainNode } | undefined;
  #fading: VoiceFading;
  #position: Vector3 | undefined;
  #isMuted = false;

  /** `output` gets the placed sound of the returned voice's `input`. */
  constructor(context: BaseAudioContext, output: AudioNode, fading: VoiceFading) {
    [this.#context, this.#output, this.#fading] = [context, output, fading];
    this.#input = context.createGain();
    this.#flat = this.#newPanner("equalpower");
    this.#flatGain = context.createGain();
    this.#input.connect(this.#flat).connect(this.#flatGain).connect(output);
  }

  get input(): AudioNode {
    return this.#input;
  }

  get hasHrtf(): boolean {
    return this.#hrtf !== undefined;
  }

  /** Moves the voice. The first position, and one after `unplace`, applies at once. */
  place(position: Vector3): void {
    const easeS = this.#position === undefined ? 0 : POSITION_EASE_S;
    this.#position = position;
    for (const panner of [this.#flat, this.#hrtf?.panner])
      if (panner !== undefined) movePanner(panner, position, this.#context.currentTime, easeS);
  }

  /** Makes the next `place` apply at once: another person speaks. */
  unplace(): void {
    this.#position = undefined;
  }

  /** Silences the voice, at once and without a fade: it may be new, and then no part of it should be heard. */
  mute(isMuted: boolean): void {
    if (isMuted === this.#isMuted) return;
    this.#isMuted = isMuted;
    this.#input.gain.setValueAtTime(isMuted ? 0 : 1, this.#context.currentTime);
  }

  /** Sets how the voice fades with distance. */
  fade(fading: VoiceFading): void {
    this.#fading = fading;
    for (const panner of [this.#flat, this.#hrtf?.panner]) if (panner !== undefined) applyFading(panner, fading);
  }

  /** Places by head-related transfer functions, or by the loudness of both sides. */
  useHrtf(uses: boolean): void {
    if (uses === this.hasHrtf) return;
    const now = this.#context.currentTime;
    // A new panner is silent until its first block is convolved.
    const at = uses ? now + PANNER_STARTS_S : now;
    ramp(this.#flatGain.gain, uses ? 0 : 1, now, at);
    if (uses) {
      const [panner, gain] = [this.#newPanner("HRTF"), this.#context.createGain()];
      // As its value, since `ramp` begins with that: a scheduled one is not yet in effect.
      gain.gain.value = 0;
      ramp(gain.gain, 1, now, at);
      if (this.#position !== undefined) movePanner(panner, this.#position, now, 0);
      this.#input.connect(panner).connect(gain).connect(this.#output);
      this.#hrtf = { panner, gain };
      return;
    }
    const before = this.#hrtf;
    this.#hrtf = undefined;
    if (before === undefined) return;
    ramp(before.gain.gain, 0, now, at);
    setTimeout(() => {
      this.#input.disconnect(before.panner);
      before.gain.disconnect();
    }, 2_000 * PANNER_FADE_S);
  }

  #newPanner(panningModel: PanningModelType): PannerNode {
    const panner = this.#context.createPanner();
    panner.panningModel = panningModel;
    applyFading(panner, this.#fading);
    return panner;
  }
}

function applyFading(panner: PannerNode, { distanceModel, refDistance, rolloffFactor }: VoiceFading): void {
  panner.distanceModel = distanceModel;
  panner.refDistance = refDistance;
  panner.rolloffFactor = rolloffFactor;
}

function movePanner(panner: PannerNode, position: Vector3, now: number, easeS: number): void {
  const axes = [panner.positionX, panner.positionY, panner.positionZ];
  for (const [axis, value] of position.entries()) {
    if (easeS === 0) axes[axis]?.setValueAtTime(value, now);
    else axes[axis]?.setTargetAtTime(value, now, easeS);
  }
}

/** Fades from time `at` on, from the present value. */
function ramp(gain: AudioParam, to: number, now: number, at: number): void {
  const { value } = gain;
  gain.cancelScheduledValues(now);
  gain.setValueAtTime(value, now);
  gain.setValueAtTime(value, at);
  gain.linearRampToValueAtTime(to, at + PANNER_FADE_S);
}
