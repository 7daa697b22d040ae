/**
 * Attaches an object to a named part of its parent's model: ARENA's `submodel-parent`. Page:
 * docs/components/stoa-submodel.md
 */
import { type AFrameAdapter, type Behaviour, type Entity, entityOf, type Three } from "../aframe.ts";
import { SEARCH_INTERVAL_MS } from "../limits.ts";
import { partOf } from "./stoa-model-form.ts";

export interface SubmodelSettings {
  /** The part's name. */
  readonly part: string;
}

/** The attachment of one object. */
export class SubmodelParentBehaviour implements Behaviour<SubmodelSettings> {
  readonly #el: Entity;
  #name = "";
  /** The parent's own node, used while the part doesn't exist. */
  #home: Three.Object3D | null = null;
  #part: Three.Object3D | null = null;
  #searchedMs = Number.NEGATIVE_INFINITY;

  constructor(el: Entity) {
    this.#el = el;
  }

  update({ part }: SubmodelSettings): void {
    this.#goHome();
    this.#name = part;
    this.#searchedMs = Number.NEGATIVE_INFINITY;
  }

  tick(timeMs: number): void {
    const { object3D } = this.#el;
    if (this.#part && object3D.parent === this.#part) {
      if (this.#isThere()) return;
      this.#goHome();
    }
    // The object isn't attached to the part, at the start or because the view has moved it: its parent is its home.
    this.#part = null;
    this.#home = object3D.parent;
    if (timeMs - this.#searchedMs < SEARCH_INTERVAL_MS) return;
    this.#searchedMs = timeMs;
    const model = entityOf(this.#home)?.getObject3D("mesh");
    const part = model && partOf(model, this.#name);
    if (!part) return;
    this.#part = part;
    part.add(object3D);
  }

  remove(): void {
    this.#goHome();
  }

  #goHome(): void {
    const { object3D } = this.#el;
    if (this.#part && object3D.parent === this.#part) this.#home?.add(object3D);
    this.#part = null;
  }

  /** Whether the part still belongs to the model of the object's parent. That model may be removed or replaced. */
  #isThere(): boolean {
    const model = entityOf(this.#home)?.getObject3D("mesh");
    for (let at: Three.Object3D | null = this.#part; at; at = at.parent) if (at === model) return true;
    return false;
  }
}

/** Registers `stoa-submodel`. */
export function registerSubmodel(aframe: AFrameAdapter): void {
  aframe.registerComponent<SubmodelSettings, SubmodelParentBehaviour>({
    name: "stoa-submodel",
    schema: { part: { type: "string", default: "" } },
    create: (el) => new SubmodelParentBehaviour(el),
  });
}
