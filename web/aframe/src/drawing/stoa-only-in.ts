/** Shows an object in VR or AR only. Page: docs/components/stoa-only-in.md */
import type { AFrameAdapter, Behaviour, Entity } from "../aframe.ts";

/** The settings of `stoa-only-in`: the modes in which the object is visible. */
export interface OnlyInSettings {
  readonly vr: boolean;
  readonly ar: boolean;
}

/** Changes the three.js visibility of one entity, and reads the `visible` attribute on each change. */
export class OnlyInBehaviour implements Behaviour<OnlyInSettings> {
  readonly #el: Entity;
  readonly #listening = new AbortController();
  #settings: OnlyInSettings = { vr: false, ar: false };

  constructor(el: Entity) {
    this.#el = el;
    const { signal } = this.#listening;
    for (const type of ["enter-vr", "exit-vr"]) el.sceneEl?.addEventListener(type, () => this.#show(), { signal });
    // A-Frame emits this after it has set `visible`.
    el.addEventListener("componentchanged", () => this.#show(), { signal });
  }

  update(settings: OnlyInSettings): void {
    this.#settings = settings;
    this.#show();
  }

  remove(): void {
    this.#listening.abort();
    this.#el.object3D.visible = this.#isShown;
  }

  get #isShown(): boolean {
    const visible: unknown = this.#el.getAttribute("visible");
    return visible !== false && visible !== "false";
  }

  #show(): void {
    const scene = this.#el.sceneEl;
    const there = (this.#settings.vr && scene?.is("vr-mode")) || (this.#settings.ar && scene?.is("ar-mode"));
    this.#el.object3D.visible = there === true && this.#isShown;
  }
}

/** Registers `stoa-only-in`. */
export function registerOnlyIn(aframe: AFrameAdapter): void {
  aframe.registerComponent<OnlyInSettings, OnlyInBehaviour>({
    name: "stoa-only-in",
    schema: { vr: { type: "boolean", default: false }, ar: { type: "boolean", default: false } },
    create: (el) => new OnlyInBehaviour(el),
  });
}
