/**
 * Loads an object's positional sound through the scene's queue; A-Frame's `sound` plays it. Page:
 * docs/components/stoa-sound.md
 */
import type { AFrameAdapter, Behaviour, Entity } from "../aframe.ts";
import { ObjectAssetLoader } from "./asset-request.ts";
import type { SceneLibraryLookup } from "./scene-libraries.ts";

export interface SoundSettings {
  readonly src: string;
  /** Event that starts the sound; empty: it starts by itself. */
  readonly on: string;
  /** As JSON: further settings of A-Frame's `sound`. */
  readonly sound: string;
}

/** One object's sound. */
export class SoundBehaviour implements Behaviour<SoundSettings> {
  readonly #el: Entity;
  readonly #libraryOf: SceneLibraryLookup;
  readonly #requests: ObjectAssetLoader;
  #settings: SoundSettings | null = null;
  #release: (() => void) | null = null;
  #address = "";

  constructor(aframe: AFrameAdapter, el: Entity, libraryOf: SceneLibraryLookup) {
    this.#el = el;
    this.#libraryOf = libraryOf;
    this.#requests = new ObjectAssetLoader(aframe, el);
  }

  update(settings: SoundSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    if (before?.src === settings.src) {
      this.#play();
      return;
    }
    this.#drop();
    const { sceneEl } = this.#el;
    if (!sceneEl) return;
    this.#release = this.#requests.take(this.#libraryOf(sceneEl), {
      ...{ kind: "sound", src: settings.src },
      onReady: ({ address = "" }) => {
        this.#address = address;
        this.#play();
      },
      onAway: () => undefined,
    });
  }

  remove(): void {
    this.#drop();
    this.#settings = null;
  }

  #drop(): void {
    this.#requests.clear();
    if (this.#address !== "") this.#el.removeAttribute("sound");
    this.#address = "";
    this.#release?.();
    this.#release = null;
  }

  #play(): void {
    if (!this.#settings || this.#address === "") return;
    const { on, sound } = this.#settings;
    const settings = { ...JSON.parse(sound), ...(on === "" ? {} : { on }), src: `url(${this.#address})` };
    this.#el.setAttribute("sound", settings, true);
  }
}

/** Registers `stoa-sound`. */
export function registerSound(aframe: AFrameAdapter, libraryOf: SceneLibraryLookup): void {
  aframe.registerComponent<SoundSettings, SoundBehaviour>({
    name: "stoa-sound",
    schema: {
      src: { type: "string", default: "" },
      on: { type: "string", default: "" },
      sound: { type: "string", default: "{}" },
    },
    create: (el) => new SoundBehaviour(aframe, el, libraryOf),
  });
}
