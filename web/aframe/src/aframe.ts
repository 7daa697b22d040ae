/**
 * A-Frame as this package sees it. The only file with type assertions: A-Frame ships no types, so what it gives is named here once.
 */
import type * as Three from "three";
import type { DRACOLoader } from "three/addons/loaders/DRACOLoader.js";
import type { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import type { KTX2Loader } from "three/addons/loaders/KTX2Loader.js";

export type { Three };

/** three.js's loaders that A-Frame brings along, so that no page carries them twice. */
export interface LoadersOfAFrame {
  readonly DRACOLoader: typeof DRACOLoader;
  readonly GLTFLoader: typeof GLTFLoader;
  readonly KTX2Loader: typeof KTX2Loader;
}

/** What gives a loader of models, ready for what a file needs. */
export interface Loaders {
  readonly gltf: (manager: Three.LoadingManager, extensions: readonly string[]) => Promise<GLTFLoader>;
}

/** A DOM element that A-Frame made an entity of. */
export interface Entity extends HTMLElement {
  readonly object3D: Three.Group;
  readonly sceneEl: SceneElement | null;
  readonly hasLoaded: boolean;
  readonly isEntity?: boolean;
  setAttribute(name: string, value: unknown, clobber?: boolean): void;
  emit(name: string, detail?: unknown, bubbles?: boolean): void;
  setObject3D(name: string, object: Three.Object3D): void;
  getObject3D(name: string): Three.Object3D | undefined;
  removeObject3D(name: string): void;
  /** Gives back what A-Frame pooled for it; for entities that are out of the page. */
  destroy?(): void;
}

/** The `a-scene`. */
export interface SceneElement extends Entity {
  readonly canvas: HTMLCanvasElement;
  readonly camera: Three.PerspectiveCamera | undefined;
  readonly renderer: Three.WebGLRenderer;
  readonly xrSession?: XRSession;
  /** What the device says of this render frame, in VR and AR. */
  readonly frame?: XRFrame;
  is(state: string): boolean;
  /** Back from VR or AR to the page. */
  exitVR?(): Promise<unknown>;
}

/** What a component does, once A-Frame has attached it. `remove` takes away all it added. */
export interface Behaviour<Data> {
  /** Called once after creation and whenever the settings change. */
  update?(data: Data): void;
  /** Once per render frame; allocates nothing. Both times in milliseconds, as A-Frame counts. */
  tick?(timeMs: number, deltaMs: number): void;
  remove(): void;
}

/** The type and default of each of a component's settings; `plain` is a value that A-Frame passes on as it is, never a text to parse. */
export type Schema<Data> = { readonly [Key in keyof Data]: { readonly type: string; readonly default: Data[Key] } };

/** How a component is declared. */
export interface Declaration<Data, B extends Behaviour<Data>> {
  readonly name: string;
  readonly schema: Schema<Data>;
  readonly create: (el: Entity) => B;
}

/** A kind of geometry that `geometry: primitive` then knows. */
export interface GeometryDeclaration<Data> {
  readonly name: string;
  readonly schema: Schema<Data>;
  readonly make: (data: Data) => Three.BufferGeometry;
}

/** A shader that `material: shader` then knows. */
export interface ShaderDeclaration<Data, Material extends Three.Material> {
  readonly name: string;
  readonly schema: Schema<Data>;
  readonly make: () => Material;
  /** Called after creation and whenever the settings change. */
  readonly update: (material: Material, data: Data) => void;
}

interface Instance {
  el: Entity;
  data: unknown;
  behaviour: Behaviour<unknown>;
}

interface GeometryInstance {
  geometry: Three.BufferGeometry;
}

interface ShaderInstance {
  material: Three.Material;
}

interface Registered {
  readonly Component: { readonly prototype: Record<string, unknown> };
  readonly schema: Record<string, { default?: unknown }>;
}

interface Library {
  readonly THREE: typeof Three;
  readonly components: Readonly<Record<string, Registered | undefined>>;
  readonly systems: Readonly<Record<string, { readonly prototype: Registered } | undefined>>;
  readonly geometries: Readonly<Record<string, unknown>>;
  readonly shaders: Readonly<Record<string, unknown>>;
  registerComponent(name: string, definition: object): void;
  registerGeometry(name: string, definition: object): void;
  registerShader(name: string, definition: object): void;
}

/** A-Frame with types: what the components of this package need of it. */
export class AFrame {
  readonly THREE: typeof Three;
  readonly #library: Library;

  constructor(library: unknown) {
    this.#library = library as Library;
    this.THREE = this.#library.THREE;
  }

  /** The loaders among what A-Frame names `THREE`. */
  get loaders(): LoadersOfAFrame {
    return this.THREE as typeof Three & LoadersOfAFrame;
  }

  /** Whether there is a component of that name. */
  has(name: string): boolean {
    return this.#library.components[name] !== undefined;
  }

  /** Makes a component known; one that is known already stays. */
  registerComponent<Data, B extends Behaviour<Data>>(declaration: Declaration<Data, B>): void {
    if (this.has(declaration.name)) return;
    this.#library.registerComponent(declaration.name, {
      schema: plainly(declaration.schema),
      init(this: Instance) {
        this.behaviour = declaration.create(this.el) as Behaviour<unknown>;
      },
      update(this: Instance) {
        // A-Frame gives the same object each time, with new values: who compares with the settings before needs two.
        this.behaviour.update?.(isRecord(this.data) ? { ...this.data } : this.data);
      },
      tick(this: Instance, timeMs: number, deltaMs: number) {
        this.behaviour.tick?.(timeMs, deltaMs);
      },
      remove(this: Instance) {
        this.behaviour.remove();
      },
    });
  }

  /** Makes a geometry known; one that is known already stays. */
  registerGeometry<Data>(declaration: GeometryDeclaration<Data>): void {
    if (this.#library.geometries[declaration.name] !== undefined) return;
    this.#library.registerGeometry(declaration.name, {
      schema: declaration.schema,
      init(this: GeometryInstance, data: Data) {
        this.geometry = declaration.make(data);
      },
    });
  }

  /** Makes a shader known; one that is known already stays. */
  registerShader<Data, Material extends Three.Material>(declaration: ShaderDeclaration<Data, Material>): void {
    if (this.#library.shaders[declaration.name] !== undefined) return;
    const { make, update } = declaration;
    this.#library.registerShader(declaration.name, {
      schema: declaration.schema,
      init(this: ShaderInstance) {
        this.material = make();
      },
      update(this: ShaderInstance, data: Data) {
        update(this.material as Material, data);
      },
    });
  }

  /** Replaces a method of one of A-Frame's own components. */
  replaceMethod(component: string, method: string, body: (argument: unknown) => unknown): void {
    const registered = this.#library.components[component];
    if (registered) registered.Component.prototype[method] = body;
  }

  /** Changes a default of one of A-Frame's own systems; works for scenes that come after. */
  replaceSystemDefault(system: string, key: string, value: unknown): void {
    const property = this.#library.systems[system]?.prototype.schema[key];
    if (property) property.default = value;
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The schema as A-Frame takes it: it has no type of its own for what is not to be parsed. */
function plainly(schema: object): object {
  const entries = Object.entries(schema as Record<string, { readonly type: string; readonly default: unknown }>);
  const asIs = { parse: (value: unknown) => value, stringify: (value: unknown) => JSON.stringify(value) };
  return Object.fromEntries(
    entries.map(([key, one]) => [key, one.type === "plain" ? { default: one.default, ...asIs } : one]),
  );
}

/** What `component` does on `el`, if it is there and of that class. */
export function behaviourOf<B>(el: Element, component: string, type: abstract new (...args: never[]) => B): B | null {
  const { components } = el as { components?: Record<string, { behaviour?: unknown } | undefined> };
  const behaviour = components?.[component]?.behaviour;
  return behaviour instanceof type ? behaviour : null;
}

/** The element as the entity that A-Frame makes of every `a-` element. */
export function asEntity(el: Element): Entity {
  return el as Entity;
}

/** The element as the scene that A-Frame makes of `a-scene`. */
export function asScene(el: Element): SceneElement {
  return el as SceneElement;
}

/** A new entity, not yet in the page. */
export function makeEntity(document: Document): Entity {
  return asEntity(document.createElement("a-entity"));
}

/** The entity that an object of three.js belongs to, found upwards. */
export function entityOf(object: Three.Object3D | null): Entity | null {
  for (let at = object; at; at = at.parent) {
    const { el } = at as { el?: Entity };
    if (el) return el;
  }
  return null;
}

/** The detail of an event that A-Frame or this package emitted. */
export function detailOf<Detail>(event: Event): Detail {
  return (event as CustomEvent<Detail>).detail;
}

/** The material that A-Frame's `material` made for an entity. */
export function materialOf(el: Entity): Three.Material | null {
  const { components } = el as { components?: { material?: { material?: Three.Material } } };
  return components?.material?.material ?? null;
}

/** A-Frame keeps each picture that a material ever named, by its address: this lets go of one that nobody will name again. */
export function forgetPicture(scene: SceneElement, address: string): void {
  const { systems } = scene as { systems?: { material?: { sourceCache?: Record<string, unknown> } } };
  if (systems?.material?.sourceCache) Reflect.deleteProperty(systems.material.sourceCache, address);
}

/** Lets the head nod as A-Frame's `look-controls` would: radians, upwards. In a headset the neck alone does. */
export function nod(camera: Entity, pitchRad: number): void {
  const { components } = camera as {
    components?: { "look-controls"?: { pitchObject?: { rotation: { x: number } } } };
  };
  const pitch = components?.["look-controls"]?.pitchObject;
  if (pitch) pitch.rotation.x = pitchRad;
}

/** A-Frame takes its own lights away for the first light of a scene, and never brings them back: this does, where no light is left. */
export function lightAgain(scene: SceneElement): void {
  const { systems } = scene as {
    systems?: { light?: { userDefinedLights: boolean; setupDefaultLights?: () => void } };
  };
  if (!systems?.light || scene.querySelector("[light]")) return;
  systems.light.userDefinedLights = false;
  systems.light.setupDefaultLights?.();
}
