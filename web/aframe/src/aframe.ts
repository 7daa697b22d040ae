/** A typed facade over A-Frame, which ships no types. This is the only file with type assertions. */
import type * as Three from "three";
import type { DRACOLoader } from "three/addons/loaders/DRACOLoader.js";
import type { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import type { KTX2Loader } from "three/addons/loaders/KTX2Loader.js";

export type { Three };

/** The three.js loaders bundled with A-Frame, so that a page doesn't ship them twice. */
export interface LoadersOfAFrame {
  readonly DRACOLoader: typeof DRACOLoader;
  readonly GLTFLoader: typeof GLTFLoader;
  readonly KTX2Loader: typeof KTX2Loader;
}

/** Creates glTF loaders with the decoders that a file's extensions need. */
export interface GltfLoaderFactory {
  readonly gltf: (manager: Three.LoadingManager, extensions: readonly string[]) => Promise<GLTFLoader>;
}

/** A DOM element that A-Frame has upgraded to an entity. */
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
  /** Returns the entity's pooled objects to A-Frame. Only for entities removed from the document. */
  destroy?(): void;
}

/** The `a-scene`. */
export interface SceneElement extends Entity {
  readonly canvas: HTMLCanvasElement;
  readonly camera: Three.PerspectiveCamera | undefined;
  readonly renderer: Three.WebGLRenderer;
  readonly xrSession?: XRSession;
  /** The WebXR frame of the current render frame, in VR and AR. */
  readonly frame?: XRFrame;
  is(state: string): boolean;
  /** Leaves VR or AR. */
  exitVR?(): Promise<unknown>;
}

/** A component's behaviour on one entity. `remove` undoes everything that it added. */
export interface Behaviour<Data> {
  /** Called once after creation and after each change of the settings. */
  update?(data: Data): void;
  /** Called once per render frame; must not allocate. Both times are A-Frame's, in milliseconds. */
  tick?(timeMs: number, deltaMs: number): void;
  remove(): void;
}

/** The type and default of each setting. Type `plain` marks a value that A-Frame passes through without parsing. */
export type Schema<Data> = { readonly [Key in keyof Data]: { readonly type: string; readonly default: Data[Key] } };

/** A component's name, schema and factory. */
export interface ComponentDeclaration<Data, B extends Behaviour<Data>> {
  readonly name: string;
  readonly schema: Schema<Data>;
  readonly create: (el: Entity) => B;
}

/** A geometry for `geometry: primitive`. */
export interface GeometryDeclaration<Data> {
  readonly name: string;
  readonly schema: Schema<Data>;
  readonly make: (data: Data) => Three.BufferGeometry;
}

/** A shader for `material: shader`. */
export interface ShaderDeclaration<Data, Material extends Three.Material> {
  readonly name: string;
  readonly schema: Schema<Data>;
  readonly make: () => Material;
  /** Called after creation and after each change of the settings. */
  readonly update: (material: Material, data: Data) => void;
}

interface ComponentInstance {
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

interface RegisteredComponent {
  readonly Component: { readonly prototype: Record<string, unknown> };
  readonly schema: Record<string, { default?: unknown }>;
}

interface AFrameModule {
  readonly THREE: typeof Three;
  readonly components: Readonly<Record<string, RegisteredComponent | undefined>>;
  readonly systems: Readonly<Record<string, { readonly prototype: RegisteredComponent } | undefined>>;
  readonly geometries: Readonly<Record<string, unknown>>;
  readonly shaders: Readonly<Record<string, unknown>>;
  registerComponent(name: string, definition: object): void;
  registerGeometry(name: string, definition: object): void;
  registerShader(name: string, definition: object): void;
}

/** The part of A-Frame that this package's components use. */
export class AFrameAdapter {
  readonly THREE: typeof Three;
  readonly #library: AFrameModule;

  constructor(library: unknown) {
    this.#library = library as AFrameModule;
    this.THREE = this.#library.THREE;
  }

  /** The three.js loaders, which A-Frame bundles into its `THREE` object. */
  get loaders(): LoadersOfAFrame {
    return this.THREE as typeof Three & LoadersOfAFrame;
  }

  has(name: string): boolean {
    return this.#library.components[name] !== undefined;
  }

  /** Registers a component unless the name is already registered. */
  registerComponent<Data, B extends Behaviour<Data>>(declaration: ComponentDeclaration<Data, B>): void {
    if (this.has(declaration.name)) return;
    this.#library.registerComponent(declaration.name, {
      schema: plainly(declaration.schema),
      init(this: ComponentInstance) {
        this.behaviour = declaration.create(this.el) as Behaviour<unknown>;
      },
      update(this: ComponentInstance) {
        // A-Frame reuses one data object for all updates. A copy lets a component compare with its previous settings.
        this.behaviour.update?.(isRecord(this.data) ? { ...this.data } : this.data);
      },
      tick(this: ComponentInstance, timeMs: number, deltaMs: number) {
        this.behaviour.tick?.(timeMs, deltaMs);
      },
      remove(this: ComponentInstance) {
        this.behaviour.remove();
      },
    });
  }

  /** Registers a geometry unless the name is already registered. */
  registerGeometry<Data>(declaration: GeometryDeclaration<Data>): void {
    if (this.#library.geometries[declaration.name] !== undefined) return;
    this.#library.registerGeometry(declaration.name, {
      schema: declaration.schema,
      init(this: GeometryInstance, data: Data) {
        this.geometry = declaration.make(data);
      },
    });
  }

  /** Registers a shader unless the name is already registered. */
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

  /** Replaces a method of one of A-Frame's built-in components. */
  replaceMethod(component: string, method: string, body: (argument: unknown) => unknown): void {
    const registered = this.#library.components[component];
    if (registered) registered.Component.prototype[method] = body;
  }

  /** Changes a setting's default in one of A-Frame's built-in systems, for scenes created afterwards. */
  replaceSystemDefault(system: string, key: string, value: unknown): void {
    const property = this.#library.systems[system]?.prototype.schema[key];
    if (property) property.default = value;
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** The schema in A-Frame's format, which has no type for values that must not be parsed. */
function plainly(schema: object): object {
  const entries = Object.entries(schema as Record<string, { readonly type: string; readonly default: unknown }>);
  const asIs = { parse: (value: unknown) => value, stringify: (value: unknown) => JSON.stringify(value) };
  return Object.fromEntries(
    entries.map(([key, one]) => [key, one.type === "plain" ? { default: one.default, ...asIs } : one]),
  );
}

/** The behaviour of `component` on `el`; `null` if the component is missing or of another class. */
export function behaviourOf<B>(el: Element, component: string, type: abstract new (...args: never[]) => B): B | null {
  const { components } = el as { components?: Record<string, { behaviour?: unknown } | undefined> };
  const behaviour = components?.[component]?.behaviour;
  return behaviour instanceof type ? behaviour : null;
}

/** Casts the element, an `a-entity` that A-Frame upgrades to an entity. */
export function asEntity(el: Element): Entity {
  return el as Entity;
}

/** Casts the element: A-Frame upgrades `a-scene` to a scene. */
export function asScene(el: Element): SceneElement {
  return el as SceneElement;
}

/** Creates an entity without attaching it to the document. */
export function makeEntity(document: Document): Entity {
  return asEntity(document.createElement("a-entity"));
}

/** The nearest entity among the object and its ancestors. */
export function entityOf(object: Three.Object3D | null): Entity | null {
  for (let at = object; at; at = at.parent) {
    const { el } = at as { el?: Entity };
    if (el) return el;
  }
  return null;
}

/** The `detail` of a custom event from A-Frame or this package. */
export function detailOf<Detail>(event: Event): Detail {
  return (event as CustomEvent<Detail>).detail;
}

/** The material that A-Frame's `material` component created for an entity. */
export function materialOf(el: Entity): Three.Material | null {
  const { components } = el as { components?: { material?: { material?: Three.Material } } };
  return components?.material?.material ?? null;
}

/**
 * Drops a picture from A-Frame's material cache, which keeps every picture by URL. Call it once no material names the
 * URL.
 */
export function forgetPicture(scene: SceneElement, address: string): void {
  const { systems } = scene as { systems?: { material?: { sourceCache?: Record<string, unknown> } } };
  if (systems?.material?.sourceCache) Reflect.deleteProperty(systems.material.sourceCache, address);
}

/**
 * Sets the pitch in A-Frame's `look-controls`, in radians, positive upwards. In a headset the tracked head overrides
 * it.
 */
export function nod(camera: Entity, pitchRad: number): void {
  const { components } = camera as {
    components?: { "look-controls"?: { pitchObject?: { rotation: { x: number } } } };
  };
  const pitch = components?.["look-controls"]?.pitchObject;
  if (pitch) pitch.rotation.x = pitchRad;
}

/**
 * Restores A-Frame's default lights if no light is left. A-Frame removes its default lights when the first light
 * appears, and never restores them.
 */
export function lightAgain(scene: SceneElement): void {
  const { systems } = scene as {
    systems?: { light?: { userDefinedLights: boolean; setupDefaultLights?: () => void } };
  };
  if (!systems?.light || scene.querySelector("[light]")) return;
  systems.light.userDefinedLights = false;
  systems.light.setupDefaultLights?.();
}
