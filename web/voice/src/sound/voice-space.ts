/** Places the voices of a player around the listener. */
import { type DrawnHeads, type Pose, rotated } from "@stoa/client";
import { DUCK_GAIN, DUCK_S, VOLUME_S } from "../limits.ts";
import { DEFAULT_FADING, nearestSlots, squaredDistance, type VoiceFading } from "./loudness.ts";
import { PlacedVoice } from "./placed-voice.ts";

/** The voices of a player in space. */
export class VoiceSpace {
  readonly #context: AudioContext;
  readonly #master: GainNode;
  readonly #voices: readonly PlacedVoice[];
  readonly #hrtfMax: number;
  readonly #speakers = new Map<number, string>();
  #fading: VoiceFading = DEFAULT_FADING;
  #isDucked = false;
  #hrtf: ReadonlySet<number> = new Set();
  #isHidden: DrawnHeads["isHidden"] = () => false;

  /** `player` has one output for each voice; `hrtfMax` voices are placed by head-related transfer functions. */
  constructor(context: AudioContext, player: AudioWorkletNode, hrtfMax: number) {
    [this.#context, this.#hrtfMax] = [context, hrtfMax];
    this.#master = context.createGain();
    this.#master.connect(context.destination);
    this.#voices = Array.from({ length: player.numberOfOutputs }, (_, slot) => {
      const voice = new PlacedVoice(context, this.#master, this.#fading);
      player.connect(voice.input, slot);
      return voice;
    });
  }

  /** All placed voices together, for recording and metering. */
  get output(): AudioNode {
    return this.#master;
  }

  /** Sets the speaker of an output. */
  assign(slot: number, idTag: string | undefined): void {
    if (this.#speakers.get(slot) === idTag) return;
    this.#voices[slot]?.unplace();
    this.#voices[slot]?.mute(idTag !== undefined && this.#isHidden(idTag));
    if (idTag === undefined) this.#speakers.delete(slot);
    else this.#speakers.set(slot, idTag);
  }

  /** Sets how voices fade with distance. */
  fade(fading: VoiceFading): void {
    this.#fading = fading;
    this.#setVolume(VOLUME_S);
    for (const voice of this.#voices) voice.fade(fading);
  }

  /** Makes all voices quieter, or as loud as before. */
  duck(isDucked: boolean): void {
    if (isDucked === this.#isDucked) return;
    this.#isDucked = isDucked;
    this.#setVolume(isDucked ? DUCK_S.down : DUCK_S.up);
  }

  /** Moves listener and voices to where they are drawn now. */
  update({ own, positionOf, isHidden }: DrawnHeads): void {
    this.#isHidden = isHidden;
    if (own !== undefined) moveListener(this.#context.listener, own);
    const from = own?.position ?? [0, 0, 0];
    const distances = new Map<number, number>();
    for (const [slot, idTag] of this.#speakers) {
      // A voice without a place sounds from the listener's own, so that it is heard at all.
      const position = positionOf(idTag) ?? from;
      this.#voices[slot]?.place(position);
      this.#voices[slot]?.mute(isHidden(idTag));
      distances.set(slot, squaredDistance(position, from));
    }
    this.#hrtf = nearestSlots(distances, this.#hrtf, this.#hrtfMax);
    for (const [slot, voice] of this.#voices.entries()) voice.useHrtf(this.#hrtf.has(slot));
  }

  #setVolume(timeConstantS: number): void {
    const volume = this.#fading.volume * (this.#isDucked ? DUCK_GAIN : 1);
    this.#master.gain.setTargetAtTime(volume, this.#context.currentTime, timeConstantS);
  }
}

function moveListener(listener: AudioListener, { position, rotation }: Pose): void {
  const [forward, up] = [rotated([0, 0, -1], rotation), rotated([0, 1, 0], rotation)];
  const [[x, y, z], [fx, fy, fz], [ux, uy, uz]] = [position, forward, up];
  // Firefox has no parameters on the listener.
  if (listener.positionX === undefined) {
    listener.setPosition(x, y, z);
    listener.setOrientation(fx, fy, fz, ux, uy, uz);
    return;
  }
  const { positionX, positionY, positionZ, forwardX, forwardY, forwardZ, upX, upY, upZ } = listener;
  const parameters = [positionX, positionY, positionZ, forwardX, forwardY, forwardZ, upX, upY, upZ];
  for (const [which, value] of [x, y, z, fx, fy, fz, ux, uy, uz].entries()) {
    const parameter = parameters[which];
    if (parameter !== undefined) parameter.value = value;
  }
}
