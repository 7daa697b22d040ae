/**
 * Shows the scene's objects as entities. All entities are siblings in the DOM, and parents are set in three.js only,
 * because moving an entity in the DOM would restart its components.
 */
import type { SceneObject } from "@stoa/client";
import { type Entity, makeEntity, type Three } from "../aframe.ts";
import { PARENT_DEPTH_MAX } from "../limits.ts";
import type { SettingsByComponent } from "../mapping/attribute-readers.ts";
import { type MappingContext, parentOf, settingsOf } from "../mapping/object-settings.ts";
import { dispose } from "../meshes.ts";
import { bag, same, xyz } from "../values.ts";

export interface ObjectsOptions extends MappingContext {
  /** The entity that contains all objects. */
  readonly root: Entity;
  /** The node of a parent that is a person; `null` while absent. */
  readonly personSpace: (idTag: string) => Three.Object3D | null;
  /** Called before an entity is removed. */
  readonly onGone: (el: Entity) => void;
  /**
   * Starts an exit animation and calls `gone` at its end; `false` removes the entity at once, as without this option.
   */
  readonly leave?: (el: Entity, gone: () => void) => boolean;
  /** Runs a change of an entity with a smoothed movement. */
  readonly smooth: (el: Entity, change: () => void) => void;
}

interface ShownObject {
  readonly el: Entity;
  settings: SettingsByComponent;
  parent: string | null;
}

/** Settings of `stoa-clickable` for objects that only a scene option makes clickable. */
const PRESSED = { bubble: true, silent: false } as const;

/** Components that render an object during its exit animation. */
const FADING: ReadonlySet<string> = new Set([
  ...["position", "rotation", "scale", "visible", "geometry", "material", "shadow"],
  ...["stoa-blip", "stoa-model", "stoa-model-form", "stoa-surface", "stoa-pictures", "stoa-video", "stoa-clips"],
]);

const NOWHERE = { x: 0, y: 0, z: 0 } as const;

/**
 * The name of a component's three.js object whose GPU resources A-Frame doesn't free; `null` for other components.
 */
function leftBehind(component: string): string | null {
  return component === "line" ? component : null;
}

/** All objects of a scene. */
export class ObjectsView {
  /** Whether objects without a click listener emit click events too. Takes effect when an object is next applied. */
  isEveryPressable = false;

  readonly #options: ObjectsOptions;
  readonly #shown = new Map<string, ShownObject>();
  readonly #children = new Map<string, Set<string>>();

  constructor(options: ObjectsOptions) {
    this.#options = options;
  }

  get(objectId: string): Entity | null {
    return this.#shown.get(objectId)?.el ?? null;
  }

  *entities(): Generator<Entity> {
    for (const { el } of this.#shown.values()) yield el;
  }

  /** Raycast targets: in edit mode all objects, else the clickable ones. */
  targets(everything: boolean): Three.Object3D[] {
    const hit = ({ settings }: ShownObject): boolean => everything || isPressable(settings);
    return [...this.#shown.values()].filter(hit).map(({ el }) => el.object3D);
  }

  /**
   * Applies an object's current state, touching only changed components. Returns whether the set of targets may have
   * changed.
   */
  apply(objectId: string, object: SceneObject): boolean {
    const own = settingsOf(object.attributes, this.#options);
    const settings = this.isEveryPressable ? { "stoa-clickable": PRESSED, ...own } : own;
    const before = this.#shown.get(objectId);
    const shown = before ?? this.#add(objectId);
    const pressable = before ? isPressable(before.settings) : null;
    const parent = parentOf(object.attributes);
    const change = (): void => this.#set(shown, settings);
    // An animated object moves by itself, and a pose in another parent's space can't be interpolated.
    if (before?.el.hasLoaded && parent === shown.parent && !isAnimated(settings))
      this.#options.smooth(shown.el, change);
    else change();
    if (!before || parent !== shown.parent) this.#adopt(objectId, shown, parent);
    if (!before) this.attachChildren(objectId);
    return pressable !== isPressable(settings);
  }

  /**
   * Restores an object's pose from its attributes after a refused drag. A-Frame doesn't know of the drag, so three.js
   * is set directly.
   */
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

  /** Removes an object and detaches its children. They reattach when the object or another parent appears. */
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

  /** Removes all objects missing from `keep`. */
  retain(keep: ReadonlyMap<string, unknown>): void {
    for (const objectId of [...this.#shown.keys()]) if (!keep.has(objectId)) this.remove(objectId);
  }

  /** Attaches the children of an object or person, or detaches them while it is absent. */
  attachChildren(parent: string): void {
    for (const child of this.#children.get(parent) ?? []) this.#attach(child);
  }

  #add(objectId: string): ShownObject {
    const el = makeEntity(this.#options.root.ownerDocument);
    el.dataset.objectId = objectId;
    const shown: ShownObject = { el, settings: {}, parent: null };
    this.#shown.set(objectId, shown);
    // A-Frame attaches an entity to its DOM parent as it loads.
    el.addEventListener("loaded", () => this.#attach(objectId), { once: true });
    this.#options.root.append(el);
    return shown;
  }

  #set(shown: ShownObject, settings: SettingsByComponent): void {
    for (const name of Object.keys(shown.settings)) if (!(name in settings)) this.#unset(shown.el, name);
    for (const [name, value] of Object.entries(settings)) {
      if (!same(value, shown.settings[name])) shown.el.setAttribute(name, value, true);
    }
    shown.settings = settings;
  }

  /** During the exit animation only rendering components remain, and another object may take over the id. */
  #fade(shown: ShownObject): void {
    // Removed components still know the object's id.
    this.#set(shown, Object.fromEntries(Object.entries(shown.settings).filter(([name]) => FADING.has(name))));
    shown.el.removeAttribute("data-object-id");
  }

  #unset(el: Entity, component: string): void {
    const name = leftBehind(component);
    const left = name === null ? undefined : el.getObject3D(name);
    el.removeAttribute(component);
    if (left) dispose(left);
  }

  #adopt(objectId: string, shown: ShownObject, parent: string | null): void {
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

  /** The node to attach to: the parent's, the root's, or `null` while the parent is absent or a descendant. */
  #spaceOf(objectId: string, { parent }: ShownObject): Three.Object3D | null {
    if (parent === null) return this.#options.root.object3D;
    let above: string | null = parent;
    for (let depth = 0; above !== null; depth += 1) {
      if (above === objectId || depth > PARENT_DEPTH_MAX) return null;
      above = this.#shown.get(above)?.parent ?? null;
    }
    return this.#shown.get(parent)?.el.object3D ?? this.#options.personSpace(parent);
  }
}

function isAnimated(settings: SettingsByComponent): boolean {
  return Object.keys(settings).some((name) => /^animation(__|$)/.test(name));
}

function isPressable(settings: SettingsByComponent): boolean {
  return (
    PRESSABLE.some((name) => name in settings) ||
    hasPressSound(settings) ||
    hasButtons(settings) ||
    bag(settings["stoa-video"])?.pressed === true
  );
}

/** Components that react to a press. */
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

function hasButtons(settings: SettingsByComponent): boolean {
  const panel = bag(bag(settings["stoa-panel"])?.panel);
  return panel !== undefined && (panel.kind !== "card" || panel.closeButton === true);
}

function hasPressSound(settings: SettingsByComponent): boolean {
  const on = bag(settings["stoa-sound"])?.on;
  return on !== undefined && on !== "";
}
