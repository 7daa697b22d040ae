/** Adjusts a model: morph targets, poses of its parts, the box to fit into. Page: docs/components/stoa-model-form.md */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import type { ModelAdjustments, ModelNodePose } from "../mapping/model.ts";
import type { Xyz } from "../values.ts";

/** The settings of `stoa-model-form`: a {@link ModelAdjustments} as JSON. */
export interface ModelAdjustmentsSettings {
  readonly form: string;
}

const NOTHING: ModelAdjustments = { morphs: {}, parts: {}, container: null };

/** The adjustments of one object's model. */
export class ModelAdjustmentsBehaviour implements Behaviour<ModelAdjustmentsSettings> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #listening = new AbortController();
  /** Functions that restore the file's original state, one for each change. */
  #undo: (() => void)[] = [];
  #form: ModelAdjustments = NOTHING;

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#aframe = aframe;
    this.#el = el;
    const anew = (): void => {
      // A new copy is in its original state: undoing the old copy's changes would be wrong.
      this.#undo = [];
      this.#apply();
    };
    el.addEventListener("model-loaded", anew, { signal: this.#listening.signal });
  }

  update({ form }: ModelAdjustmentsSettings): void {
    this.#form = form === "" ? NOTHING : { ...NOTHING, ...JSON.parse(form) };
    this.#apply();
  }

  remove(): void {
    this.#listening.abort();
    this.#restore();
  }

  #restore(): void {
    for (const undo of this.#undo.reverse()) undo();
    this.#undo = [];
  }

  #apply(): void {
    this.#restore();
    const model = this.#el.getObject3D("mesh");
    if (!model) return;
    model.traverse((object) => this.#morph(object));
    for (const [name, pose] of Object.entries(this.#form.parts)) {
      const part = partOf(model, name);
      if (part) this.#pose(part, pose);
    }
    if (this.#form.container) this.#fit(model, this.#form.container);
  }

  #morph(object: Three.Object3D): void {
    const { THREE } = this.#aframe;
    if (!(object instanceof THREE.Mesh)) return;
    const { morphTargetDictionary: targets, morphTargetInfluences: influences } = object;
    if (!targets || !influences) return;
    for (const [name, value] of Object.entries(this.#form.morphs)) {
      const at = Object.hasOwn(targets, name) ? targets[name] : undefined;
      const before = at === undefined ? undefined : influences[at];
      if (at === undefined || before === undefined) continue;
      influences[at] = value;
      this.#undo.push(() => {
        influences[at] = before;
      });
    }
  }

  #pose(part: Three.Object3D, { position, rotation, scale }: ModelNodePose): void {
    const [was, turned, sized] = [part.position.clone(), part.quaternion.clone(), part.scale.clone()];
    this.#undo.push(() => {
      part.position.copy(was);
      part.quaternion.copy(turned);
      part.scale.copy(sized);
    });
    if (position) part.position.set(position.x, position.y, position.z);
    if (rotation) part.quaternion.set(rotation.x, rotation.y, rotation.z, rotation.w).normalize();
    if (scale) part.scale.set(scale.x, scale.y, scale.z);
  }

  /** Scales the model about its origin to fill the container: by one factor if `uniform`, else along each axis. */
  #fit(model: Three.Object3D, container: Xyz & { readonly uniform: boolean }): void {
    const before = model.scale.clone();
    this.#undo.push(() => model.scale.copy(before));
    const size = sizeOf(this.#aframe, model);
    const factors = [ratio(container.x, size.x), ratio(container.y, size.y), ratio(container.z, size.z)] as const;
    const least = Math.min(...factors);
    if (!Number.isFinite(least)) return;
    const along = (factor: number): number => (container.uniform || !Number.isFinite(factor) ? least : factor);
    model.scale.multiply({ x: along(factors[0]), y: along(factors[1]), z: along(factors[2]) });
  }
}

/** A model that is flat along an axis fits any size there. */
function ratio(wanted: number, size: number): number {
  return size > 0 ? Math.abs(wanted) / size : Number.POSITIVE_INFINITY;
}

/** Width, height and depth, independent of the parent. */
function sizeOf({ THREE }: AFrameAdapter, model: Three.Object3D): Three.Vector3 {
  const { parent } = model;
  model.removeFromParent();
  model.updateMatrixWorld(true);
  const size = new THREE.Box3().setFromObject(model, true).getSize(new THREE.Vector3());
  parent?.add(model);
  return size;
}

/** Finds a part by its name in the file; three.js removes some characters from names. */
export function partOf(model: Three.Object3D, name: string): Three.Object3D | undefined {
  let found = model.getObjectByName(name);
  if (!found) model.traverse((object) => (found ??= object.userData.name === name ? object : undefined));
  return found;
}

/** Registers `stoa-model-form`. */
export function registerModelForm(aframe: AFrameAdapter): void {
  aframe.registerComponent<ModelAdjustmentsSettings, ModelAdjustmentsBehaviour>({
    name: "stoa-model-form",
    schema: { form: { type: "string", default: "" } },
    create: (el) => new ModelAdjustmentsBehaviour(aframe, el),
  });
}
