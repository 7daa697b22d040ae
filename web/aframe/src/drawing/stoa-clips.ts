/** Plays a model's animation clips: ARENA's `animation-mixer`. Page: docs/components/stoa-clips.md */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import { nameTest } from "./name-pattern.ts";

/** The settings of `stoa-clips`; times in seconds. */
export interface ClipsSettings {
  /** Pattern of clip names; `*` matches any characters, unless `useRegExp` makes it a regular expression. */
  readonly clip: string;
  readonly useRegExp: boolean;
  readonly loop: string;
  /** Count of runs; negative: endless. */
  readonly repetitions: number;
  /** Duration of one run; 0: the clip's own. */
  readonly duration: number;
  readonly crossFadeDuration: number;
  readonly clampWhenFinished: boolean;
  readonly startAt: number;
  readonly timeScale: number;
}

/** The clips of one object's model. */
export class ClipsBehaviour implements Behaviour<ClipsSettings> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #listening = new AbortController();
  #settings: ClipsSettings | null = null;
  #model: Three.Object3D | null = null;
  #mixer: Three.AnimationMixer | null = null;
  readonly #playing = new Set<Three.AnimationAction>();

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#aframe = aframe;
    this.#el = el;
    el.addEventListener("model-loaded", () => this.#begin(), { signal: this.#listening.signal });
  }

  update(settings: ClipsSettings): void {
    this.#settings = settings;
    if (this.#model === null) this.#begin();
    else this.#play();
  }

  tick(_timeMs: number, deltaMs: number): void {
    this.#mixer?.update(deltaMs / 1_000);
  }

  remove(): void {
    this.#listening.abort();
    this.#end();
    this.#settings = null;
  }

  #end(): void {
    this.#mixer?.stopAllAction();
    if (this.#mixer && this.#model) this.#mixer.uncacheRoot(this.#model);
    this.#playing.clear();
    this.#mixer = this.#model = null;
  }

  #begin(): void {
    this.#end();
    const model = this.#el.getObject3D("mesh");
    if (!model || model.animations.length === 0) return;
    this.#model = model;
    this.#mixer = new this.#aframe.THREE.AnimationMixer(model);
    for (const type of ["finished", "loop"] as const) {
      const event = type === "finished" ? "animation-finished" : "animation-loop";
      this.#mixer.addEventListener(type, ({ action }) => this.#el.emit(event, { action }));
    }
    this.#play();
  }

  /** Fades out unwanted clips; starts the wanted ones or updates their settings. */
  #play(): void {
    if (!this.#settings || !this.#mixer || !this.#model) return;
    const { clip: pattern, useRegExp, crossFadeDuration: fadeS } = this.#settings;
    const wanted = nameTest(pattern, useRegExp);
    const actions = new Set<Three.AnimationAction>();
    for (const clip of this.#model.animations) if (wanted(clip.name)) actions.add(this.#mixer.clipAction(clip));
    for (const action of this.#playing) {
      if (actions.has(action)) continue;
      if (fadeS > 0) action.fadeOut(fadeS);
      else action.stop();
      this.#playing.delete(action);
    }
    for (const action of actions) this.#set(action, this.#settings);
  }

  #set(action: Three.AnimationAction, settings: ClipsSettings): void {
    const { LoopOnce, LoopPingPong, LoopRepeat } = this.#aframe.THREE;
    const { loop, repetitions, clampWhenFinished, duration, timeScale, startAt, crossFadeDuration } = settings;
    const mode = loop === "once" ? LoopOnce : loop === "pingpong" ? LoopPingPong : LoopRepeat;
    action.setLoop(mode, repetitions < 0 ? Number.POSITIVE_INFINITY : repetitions);
    action.clampWhenFinished = clampWhenFinished;
    const made = action.getClip().duration;
    action.setEffectiveTimeScale(timeScale * (duration > 0 && made > 0 ? made / duration : 1));
    if (this.#playing.has(action)) return;
    this.#playing.add(action);
    action.reset();
    if (startAt !== 0 && made > 0) action.time = ((startAt % made) + made) % made;
    else if (timeScale < 0) action.time = made;
    if (crossFadeDuration > 0) action.fadeIn(crossFadeDuration);
    action.play();
  }
}

/** Registers `stoa-clips`. */
export function registerClips(aframe: AFrameAdapter): void {
  aframe.registerComponent<ClipsSettings, ClipsBehaviour>({
    name: "stoa-clips",
    schema: {
      clip: { type: "string", default: "*" },
      useRegExp: { type: "boolean", default: false },
      loop: { type: "string", default: "repeat" },
      repetitions: { type: "number", default: -1 },
      duration: { type: "number", default: 0 },
      crossFadeDuration: { type: "number", default: 0 },
      clampWhenFinished: { type: "boolean", default: false },
      startAt: { type: "number", default: 0 },
      timeScale: { type: "number", default: 1 },
    },
    create: (el) => new ClipsBehaviour(aframe, el),
  });
}
