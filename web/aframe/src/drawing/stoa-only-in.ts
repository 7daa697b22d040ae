/** An object that is there only in VR, or only in AR. Page: docs/components/stoa-only-in.md */
import type { AFrame, Behaviour, Entity } from "../aframe.ts";

/** The settings of `stoa-only-in`: in which of them it is seen. */
export interface OnlyInSettings {
  readonly vr: boolean;
  readonly ar: boolean;
}

/** One such object. It is the entity's own visibility that changes: what a scene says by `visible` is asked for each time. */
export class OnlyIn implements Behaviour<OnlyInSettings> {
  readonly #el: Entity;
  readonly #listening = new AbortController();
  #settings: OnlyInSettings = { vr: false, ar: false };

  constructor(el: Entity) {
    this.#el = el;
    const { signal } = this.#listening;
    for (const type of ["enter-vr", "exit-vr"]) el.sceneEl?.addEventListener(type, () => this.#show(), { signal });
    // A-Frame says so when it has set `visible`.
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

/** Makes `stoa-only-in` known to A-Frame. */
export function registerOnlyIn(aframe: AFrame): void {
  aframe.registerComponent<OnlyInSettings, OnlyIn>({
    name: "stoa-only-in",
    schema: { vr: { type: "boolean", default: false }, ar: { type: "boolean", default: false } },
    create: (el) => new OnlyIn(el),
  });
}
