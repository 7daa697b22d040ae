/** The objects of the scene as entities. Entities stand side by side in the page; parents are set in three.js alone, so nothing restarts. */
import type { SceneObject } from "@stoa/client";
import { type Entity, makeEntity, type Three } from "../aframe.ts";
import { PARENT_DEPTH_MAX } from "../limits.ts";
import type { Settings } from "../mapping/attribute-readers.ts";
import { type MappingContext, parentOf, settingsOf } from "../mapping/object-settings.ts";
import { dispose } from "../meshes.ts";
import { bag, same, xyz } from "../values.ts";

/** What the view needs of its surroundings. */
export interface ObjectsOptions extends MappingContext {
  /** The entity that all objects stand in. */
  readonly root: Entity;
  /** A parent that is a person: its place in space, `null` while it isn't there. */
  readonly personSpace: (idTag: string) => Three.Object3D | null;
  /** An entity is about to go. */
  readonly onGone: (el: Entity) => void;
  /** Lets an entity disappear slowly, and calls `gone` then; `false`: it goes at once. Default: it does. */
  readonly leave?: (el: Entity, gone: () => void) => boolean;
  /** Runs a change of an entity so that it moves there smoothly. */
  readonly smooth: (el: Entity, change: () => void) => void;
}

interface Shown {
  readonly el: Entity;
  settings: Settings;
  parent: string | null;
}

/** What listens to presses because the scene says so. */
const PRESSED = { bubble: true, silent: false } as const;

/** What an object is drawn with that disappears. */
const FADING: ReadonlySet<string> = new Set([
  ...["position", "rotation", "scale", "visible", "geometry", "material", "shadow"],
  ...["stoa-blip", "stoa-model", "stoa-model-form", "stoa-surface", "stoa-pictures", "stoa-video", "stoa-clips"],
]);

const NOWHERE = { x: 0, y: 0, z: 0 } as const;

/** A-Frame leaves in the graphics card what these components made: the name of the object in three.js that one has to free. */
function leftBehind(component: string): string | null {
  return component === "line" ? component : null;
}

/** All objects that are shown. */
export class ObjectsView {
  /** Whether all objects tell of presses, also those that don't say so; counts from the next time that each is applied. */
  isEveryPressable = false;

  readonly #options: ObjectsOptions;
  readonly #shown = new Map<string, Shown>();
  readonly #children = new Map<string, Set<string>>();

  constructor(options: ObjectsOptions) {
    this.#options = options;
  }

  /** The entity of an object. */
  get(objectId: string): Entity | null {
    return this.#shown.get(objectId)?.el ?? null;
  }

  /** The entities of all objects. */
  *entities(): Generator<Entity> {
    for (const { el } of this.#shown.values()) yield el;
  }

  /** What a ray may hit: in edit mode everything, else what is clickable. */
  targets(everything: boolean): Three.Object3D[] {
    const hit = ({ settings }: Shown): boolean => everything || isPressable(settings);
    return [...this.#shown.values()].filter(hit).map(({ el }) => el.object3D);
  }

  /** Shows the object as it is now; only what differs from before is touched. Returns whether the set of targets may have changed. */
  apply(objectId: string, object: SceneObject): boolean {
    const own = settingsOf(object.attributes, this.#options);
    const settings = this.isEveryPressable ? { "stoa-clickable": PRESSED, ...own } : own;
    const before = this.#shown.get(objectId);
    const shown = before ?? this.#add(objectId);
    const pressable = before ? isPressable(before.settings) : null;
    const parent = parentOf(object.attributes);
    const change = (): void => this.#set(shown, settings);
    // What an animation moves already is its own; a place in another's space is no way from the old one.
    if (before?.el.hasLoaded && parent === shown.parent && !isAnimated(settings))
      this.#options.smooth(shown.el, change);
    else change();
    if (!before || parent !== shown.parent) this.#adopt(objectId, shown, parent);
    if (!before) this.attachChildren(objectId);
    return pressable !== isPressable(settings);
  }

  /** Puts an object back to where it was told to be: somebody dragged it who may not. A-Frame knows nothing of the drag, so it isn't asked. */
  restore(objectId: string): void {
    const shown = this.#shown.get(objectId);
    if (!shown) return;
    const { object3D } = shown.el;
    const { position, rotation, scale } = shown.settings;
    const [at, turned, size] = [xyz(position) ?? NOWHERE, xyz(rotation) ?? NOWHERE, xyz(scale) ?? { x: 1, y: 1, z: 1 }];
    object3D.position.set(at.x, at.y, at.z);
    const [x, y, z] = [turned.x, turned.y, turned.z].map((degrees) => (degrees * Math.PI) / 180);
    object3D.rotation.set(x ?? 0, y ?? 0, z ?? 0, "YXZ");
    object3D.scale.set(size.x, size.y, size.z);
  }

  /** Takes an object away; its children wait out of sight for it to return, or to be removed themselves. */
  remove(objectId: string): boolean {
    const shown = this.#shown.get(objectId);
    if (!shown) return false;
    this.#options.onGone(shown.el);
    this.#shown.delete(objectId);
    this.#forget(objectId, shown.parent);
    for (const child of this.#children.get(objectId) ?? []) this.#shown.get(child)?.el.object3D.removeFromParent();
    const gone = (): void => {
      this.#set(shown, {});
      shown.el.remove();
      shown.el.object3D.removeFromParent();
      shown.el.destroy?.();
    };
    if (!this.#options.leave?.(shown.el, gone)) gone();
    else this.#fade(shown);
    return true;
  }

  /** Removes everything that `keep` doesn't hold. */
  retain(keep: ReadonlyMap<string, unknown>): void {
    for (const objectId of [...this.#shown.keys()]) if (!keep.has(objectId)) this.remove(objectId);
  }

  /** Puts the children of an object or person to where it is, or out of sight while it isn't there. */
  attachChildren(parent: string): void {
    for (const child of this.#children.get(parent) ?? []) this.#attach(child);
  }

  #add(objectId: string): Shown {
    const el = makeEntity(this.#options.root.ownerDocument);
    el.dataset.objectId = objectId;
    const shown: Shown = { el, settings: {}, parent: null };
    this.#shown.set(objectId, shown);
    // A-Frame puts an entity into its DOM parent as it loads.
    el.addEventListener("loaded", () => this.#attach(objectId), { once: true });
    this.#options.root.append(el);
    return shown;
  }

  #set(shown: Shown, settings: Settings): void {
    for (const name of Object.keys(shown.settings)) if (!(name in settings)) this.#unset(shown.el, name);
    for (const [name, value] of Object.entries(settings)) {
      if (!same(value, shown.settings[name])) shown.el.setAttribute(name, value, true);
    }
    shown.settings = settings;
  }

  /** What is on its way out is seen, and nothing more: another object may have its name by then. */
  #fade(shown: Shown): void {
    shown.el.removeAttribute("data-object-id");
    this.#set(shown, Object.fromEntries(Object.entries(shown.settings).filter(([name]) => FADING.has(name))));
  }

  #unset(el: Entity, component: string): void {
    const name = leftBehind(component);
    const left = name === null ? undefined : el.getObject3D(name);
    el.removeAttribute(component);
    if (left) dispose(left);
  }

  #adopt(objectId: string, shown: Shown, parent: string | null): void {
    this.#forget(objectId, shown.parent);
    shown.parent = parent;
    if (parent !== null) {
      const siblings = this.#children.get(parent) ?? new Set();
      this.#children.set(parent, siblings.add(objectId));
    }
    this.#attach(objectId);
  }

  #forget(objectId: string, parent: string | null): void {
    if (parent === null) return;
    const siblings = this.#children.get(parent);
    siblings?.delete(objectId);
    if (siblings?.size === 0) this.#children.delete(parent);
  }

  #attach(objectId: string): void {
    const shown = this.#shown.get(objectId);
    if (!shown) return;
    const space = this.#spaceOf(objectId, shown);
    const { object3D } = shown.el;
    if (!space) object3D.removeFromParent();
    else if (object3D.parent !== space) space.add(object3D);
  }

  /** Where an object stands: its parent's space, the root's, or nowhere while the parent isn't there or is below itself. */
  #spaceOf(objectId: string, { parent }: Shown): Three.Object3D | null {
    if (parent === null) return this.#options.root.object3D;
    let above: string | null = parent;
    for (let depth = 0; above !== null; depth += 1) {
      if (above === objectId || depth > PARENT_DEPTH_MAX) return null;
      above = this.#shown.get(above)?.parent ?? null;
    }
    return this.#shown.get(parent)?.el.object3D ?? this.#options.personSpace(parent);
  }
}

function isAnimated(settings: Settings): boolean {
  return Object.keys(settings).some((name) => /^animation(__|$)/.test(name));
}

function isPressable(settings: Settings): boolean {
  return (
    PRESSABLE.some((name) => name in settings) ||
    hasPressSound(settings) ||
    hasButtons(settings) ||
    bag(settings["stoa-video"])?.pressed === true
  );
}

const PRESSABLE = [
  "stoa-grab",
  "stoa-pushable",
  "stoa-clickable",
  "stoa-landmark",
  "stoa-link",
  "stoa-portal",
  "stoa-seat",
  "stoa-text-input",
];

function hasButtons(settings: Settings): boolean {
  const panel = bag(bag(settings["stoa-panel"])?.panel);
  return panel !== undefined && (panel.kind !== "card" || panel.closeButton === true);
}

function hasPressSound(settings: Settings): boolean {
  const on = bag(settings["stoa-sound"])?.on;
  return on !== undefined && on !== "";
}
