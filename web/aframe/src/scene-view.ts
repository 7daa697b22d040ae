/** One scene's session, shown in one `a-scene`. */
import type { ClientEvent, SceneObject, SceneSession } from "@stoa/client";
import { asScene, behaviourOf, detailOf, type Entity, makeEntity, type SceneElement, type Three } from "./aframe.ts";
import { surroundingsOf } from "./environment.ts";
import { EYE_HEIGHT_M, PIXEL_RATIO_MAX } from "./limits.ts";
import { MovedObjects } from "./moved-objects.ts";
import type { Clock } from "./moving.ts";
import { ObjectsView } from "./objects-view.ts";
import { PeopleView } from "./people-view.ts";
import type { StartPlace } from "./start-place.ts";
import { CLIENT_EVENT } from "./stoa-clickable.ts";
import { Crowd } from "./stoa-crowd.ts";
import { DRAGGING, EditGizmo, MOVE, type Move } from "./stoa-edit-gizmo.ts";
import { Glide } from "./stoa-glide.ts";
import { GO_TO } from "./stoa-landmark.ts";
import { OPEN, type OpenRequest } from "./stoa-link.ts";
import { LocalAvatar } from "./stoa-local-avatar.ts";
import { Locomotion } from "./stoa-locomotion.ts";
import { Pointer } from "./stoa-pointer.ts";
import { MotionDelay } from "./track.ts";
import { bag, xyz } from "./values.ts";

/** How a scene is shown. */
export interface MountOptions {
  /** Where relative addresses start; default: the page's address. */
  readonly base?: string;
  /** Where one stands at first. Default: 3 m before the origin, looking at it. */
  readonly start?: StartPlace;
  /** Opens an address that was pressed; default: the browser does. */
  readonly open?: (request: OpenRequest) => void;
  /** Pixels drawn per pixel of the page, at most; default 2. */
  readonly pixelRatioMax?: number;
  /** Told when the realm refuses a move made in edit mode. */
  readonly onRefused?: (error: unknown) => void;
  /** The clock of the session's motion and of the components; default: `performance.now`. */
  readonly now?: Clock;
}

/** What the page can do with a scene that is shown. */
export interface SceneView {
  /** Takes away everything that `mountScene` added; the session stays open. */
  dispose(): void;
  /** Chooses an object for editing; the scene element emits `stoa-select` with `{objectId}` in its detail. */
  select(objectId: string | null): void;
  setEditMode(enabled: boolean): void;
  /** A touch pad's state: -1 to 1 each, x to the right, z backwards. */
  setMove(x: number, z: number): void;
  /** Where something new would stand well: `distanceM` before the eyes, level with the floor one stands on. */
  placeAhead(distanceM: number): { readonly x: number; readonly y: number; readonly z: number };
}

/** Shows the scene of `session` in `sceneEl` (an `a-scene`). `registerComponents` comes first. */
export function mountScene(sceneEl: Element, session: SceneSession, options: MountOptions = {}): SceneView {
  return new Mounted(asScene(sceneEl), session, options);
}

const OPTIONS_ID = "scene-options";
const CAMERA = { active: true, far: 1_000, near: 0.05 } as const;

class Mounted implements SceneView {
  readonly #scene: SceneElement;
  readonly #session: SceneSession;
  readonly #options: MountOptions;
  readonly #root: Entity;
  readonly #rig: Entity;
  readonly #camera: Entity;
  readonly #surroundings: Entity;
  readonly #gizmoEl: Entity;
  readonly #objects: ObjectsView;
  readonly #people: PeopleView;
  readonly #moving: MovedObjects;
  readonly #delay = new MotionDelay();
  readonly #listening = new AbortController();
  readonly #stops: (() => void)[] = [];
  #dragged: string | null = null;
  #editing = false;
  #retargeting = false;

  constructor(scene: SceneElement, session: SceneSession, options: MountOptions) {
    this.#scene = scene;
    this.#session = session;
    this.#options = options;
    const base = options.base ?? scene.ownerDocument.baseURI;
    this.#root = this.#entity({ "stoa-glide": {}, "stoa-crowd": {} });
    this.#surroundings = this.#entity({ "stoa-environment": {} });
    this.#gizmoEl = this.#entity({ "stoa-edit-gizmo": { enabled: false } });
    this.#camera = cameraEntity(scene.ownerDocument);
    this.#rig = this.#makeRig();
    this.#objects = new ObjectsView({
      base,
      root: this.#root,
      personSpace: (idTag) => this.#personSpace(idTag),
      onGone: (el) => this.#gone(el),
      smooth: (el, change) => {
        const glide = this.#glide;
        if (glide) glide.smooth(el.object3D, change);
        else change();
      },
    });
    const now = options.now ?? (() => performance.now());
    const following = { now, motion: session.motion, delay: this.#delay };
    const onAdded = (idTag: string): void => this.#objects.attachChildren(idTag);
    this.#people = new PeopleView({ ...following, root: this.#root, base, onAdded });
    this.#moving = new MovedObjects({ ...following, find: (objectId) => this.#movable(objectId) });
    this.#root.addEventListener("loaded", () => this.#gather(), { once: true });
    this.#listen();
    this.#readAll();
    this.#limitPixels();
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#listening.abort();
    this.#objects.retain(new Map());
    this.#people.dispose();
    this.#moving.dispose();
    for (const el of [this.#gizmoEl, this.#surroundings, this.#rig, this.#root]) el.remove();
  }

  select(objectId: string | null): void {
    this.#gizmo?.select(objectId === null ? null : this.#objects.get(objectId));
  }

  setEditMode(enabled: boolean): void {
    this.#editing = enabled;
    this.#gizmoEl.setAttribute("stoa-edit-gizmo", { enabled });
    this.#retarget();
  }

  setMove(x: number, z: number): void {
    behaviourOf(this.#rig, "stoa-locomotion", Locomotion)?.setMove(x, z);
  }

  placeAhead(distanceM: number): { x: number; y: number; z: number } {
    const { position } = this.#rig.object3D;
    const camera = this.#camera.object3D;
    camera.updateWorldMatrix(true, false);
    const [, , , , , , , , backX = 0, , backZ = 1] = camera.matrixWorld.elements;
    const length = Math.hypot(backX, backZ) || 1;
    const { 12: x = 0, 14: z = 0 } = camera.matrixWorld.elements;
    const round = (value: number): number => Math.round(value * 1_000) / 1_000;
    const ahead = -distanceM / length;
    return { x: round(x + backX * ahead), y: round(position.y), z: round(z + backZ * ahead) };
  }

  get #gizmo(): EditGizmo | null {
    return behaviourOf(this.#gizmoEl, "stoa-edit-gizmo", EditGizmo);
  }

  get #glide(): Glide | null {
    return behaviourOf(this.#root, "stoa-glide", Glide);
  }

  get #pointer(): Pointer | null {
    return behaviourOf(this.#rig, "stoa-pointer", Pointer);
  }

  #entity(settings: Readonly<Record<string, unknown>>): Entity {
    const el = makeEntity(this.#scene.ownerDocument);
    for (const [name, value] of Object.entries(settings)) el.setAttribute(name, value);
    this.#scene.append(el);
    return el;
  }

  #makeRig(): Entity {
    const rig = makeEntity(this.#scene.ownerDocument);
    const { position, yawRad } = this.#options.start ?? { position: { x: 0, y: 0, z: 3 }, yawRad: 0 };
    rig.setAttribute("position", position);
    rig.setAttribute("rotation", { x: 0, y: (yawRad * 180) / Math.PI, z: 0 });
    for (const name of ["stoa-locomotion", "stoa-pointer", "stoa-local-avatar"]) rig.setAttribute(name, {});
    rig.append(this.#camera);
    rig.addEventListener("loaded", () => this.#wire(), { once: true });
    this.#camera.addEventListener("loaded", () => this.#takeCamera(), { once: true });
    this.#scene.append(rig);
    return rig;
  }

  /** A-Frame draws as many pixels as the screen has, and says so again when VR ends. */
  #limitPixels(): void {
    const limit = (): void => {
      const { pixelRatioMax = PIXEL_RATIO_MAX } = this.#options;
      const { devicePixelRatio = 1 } = this.#scene.ownerDocument.defaultView ?? {};
      if (!this.#scene.is("vr-mode")) this.#scene.renderer.setPixelRatio(Math.min(pixelRatioMax, devicePixelRatio));
    };
    const { signal } = this.#listening;
    for (const type of ["loaded", "exit-vr"]) this.#scene.addEventListener(type, limit, { signal });
    if (this.#scene.hasLoaded) limit();
  }

  /** A scene without a camera gets one from A-Frame, which may load after ours and be looked through: ours takes its place. */
  #takeCamera(): void {
    for (const el of this.#scene.querySelectorAll(":scope > [camera][aframe-injected]")) el.remove();
    for (const active of [false, true]) this.#camera.setAttribute("camera", { ...CAMERA, active });
  }

  /** The crowd is there: tell it of whom. */
  #gather(): void {
    const crowd = behaviourOf(this.#root, "stoa-crowd", Crowd);
    const [people, moving, motion] = [this.#people, this.#moving, this.#session.motion];
    if (!crowd) return;
    crowd.source = {
      get distant() {
        return people.distant;
      },
      tick: (nowMs, eyes) => {
        this.#delay.tick(nowMs, motion.jitterMs);
        people.tick(nowMs, eyes);
        moving.tick(nowMs);
      },
    };
  }

  /** An object that the motion plane may move: not what one's own hand drags, nor what hangs on something. */
  #movable(objectId: string): Three.Object3D | null {
    const hangs = typeof this.#session.objects.get(objectId)?.attributes.parent === "string";
    return hangs || objectId === this.#dragged ? null : (this.#objects.get(objectId)?.object3D ?? null);
  }

  /** The rig's components are there: tell them whom to serve. */
  #wire(): void {
    const pointer = this.#pointer;
    const avatar = behaviourOf(this.#rig, "stoa-local-avatar", LocalAvatar);
    if (avatar) {
      avatar.publisher = this.#session;
      avatar.pointer = pointer;
    }
    if (pointer) {
      pointer.taker = (target, ray, hit) => {
        const drag = this.#gizmo?.take(target, ray, hit?.point ?? null) ?? null;
        if (drag) this.#take(this.#gizmo?.selected ?? null);
        return drag;
      };
    }
    this.#retarget();
  }

  /** From now until the drag ends the object follows the hand alone. */
  #take(el: Entity | null): void {
    this.#dragged = el?.dataset.objectId ?? null;
    if (el) this.#glide?.stop(el.object3D);
  }

  #listen(): void {
    const { signal } = this.#listening;
    const on = (type: string, listener: (event: Event) => void): void =>
      this.#scene.addEventListener(type, listener, { signal });
    on(CLIENT_EVENT, (event) => this.#session.sendEvent(detailOf<ClientEvent>(event)));
    on(OPEN, (event) => (this.#options.open ?? openInBrowser)(detailOf<OpenRequest>(event)));
    on(GO_TO, (event) => this.#goTo(detailOf<string>(event)));
    on(MOVE, (event) => this.#moved(detailOf<Move>(event)));
    on(DRAGGING, (event) => {
      const dragging = detailOf<boolean>(event);
      this.#camera.setAttribute("look-controls", lookSettings(!dragging));
      if (!dragging) this.#dragged = null;
    });
    this.#stops.push(
      this.#session.on("object", ({ objectId, object }) => this.#object(objectId, object)),
      this.#session.on("person", ({ idTag, person }) => {
        if (person) this.#person(idTag);
        else this.#personGone(idTag);
      }),
      this.#session.on("reset", () => this.#readAll()),
    );
  }

  /** Everything as the session holds it now; what it doesn't hold goes. */
  #readAll(): void {
    const { objects, people } = this.#session;
    this.#objects.retain(objects);
    for (const idTag of this.#people.retain(people)) this.#objects.attachChildren(idTag);
    for (const idTag of people.keys()) this.#person(idTag);
    for (const [objectId, object] of objects) this.#object(objectId, object);
    if (!objects.has(OPTIONS_ID)) this.#object(OPTIONS_ID, null);
    this.#retarget();
  }

  #object(objectId: string, object: SceneObject | null): void {
    if (objectId === OPTIONS_ID) {
      const surroundings = surroundingsOf(object?.attributes["env-presets"]);
      this.#surroundings.setAttribute("stoa-environment", surroundings);
      return;
    }
    // Its own place while it is dragged: what comes back from the realm lags behind the hand.
    if (object && objectId === this.#dragged) return;
    const shown = object?.type === "object";
    if (object && shown ? this.#objects.apply(objectId, object) : this.#objects.remove(objectId)) this.#retarget();
  }

  #person(idTag: string): void {
    const person = this.#session.people.get(idTag);
    if (person && this.#people.apply(person)) this.#objects.attachChildren(idTag);
  }

  #personGone(idTag: string): void {
    this.#people.remove(idTag);
    this.#objects.attachChildren(idTag);
  }

  #personSpace(idTag: string): Three.Object3D | null {
    if (idTag === this.#session.me.idTag) return this.#camera.object3D;
    return this.#people.spaceOf(idTag);
  }

  #gone(el: Entity): void {
    this.#pointer?.forget(el);
    this.#glide?.stop(el.object3D);
    if (this.#gizmo?.selected === el) this.#gizmo.select(null);
  }

  /** Once for however many objects have changed in one go. */
  #retarget(): void {
    if (this.#retargeting) return;
    this.#retargeting = true;
    queueMicrotask(() => this.#retargetNow());
  }

  #retargetNow(): void {
    this.#retargeting = false;
    const pointer = this.#pointer;
    if (!pointer) return;
    const targets = this.#objects.targets(this.#editing);
    const handle = this.#editing ? this.#gizmo?.handle : undefined;
    pointer.targets = handle ? [...targets, handle] : targets;
  }

  #moved({ objectId, position, final }: Move): void {
    const object = this.#session.objects.get(objectId);
    const persist = final && (object?.persist ?? false);
    this.#session.update(objectId, { position }, { persist }).catch((error: unknown) => {
      this.#objects.restore(objectId);
      this.#options.onRefused?.(error);
    });
  }

  #goTo(objectId: string): void {
    const target = this.#objects.get(objectId)?.object3D;
    if (!target) return;
    const offset = xyz(bag(this.#session.objects.get(objectId)?.attributes.landmark)?.offsetPosition);
    target.getWorldPosition(this.#rig.object3D.position);
    // A landmark's offset is that of the eyes; the rig stands on the floor.
    if (offset) this.#rig.object3D.position.add({ x: offset.x, y: offset.y - EYE_HEIGHT_M, z: offset.z });
  }
}

/** Only the mouse and fingers turn the head: a phone that turns as it is held asks for a permission first. */
function lookSettings(enabled: boolean): Readonly<Record<string, boolean>> {
  return { enabled, magicWindowTrackingEnabled: false };
}

function cameraEntity(document: Document): Entity {
  const camera = makeEntity(document);
  camera.setAttribute("camera", CAMERA);
  camera.setAttribute("look-controls", lookSettings(true));
  camera.setAttribute("position", { x: 0, y: EYE_HEIGHT_M, z: 0 });
  return camera;
}

function openInBrowser({ url, newTab }: OpenRequest): void {
  if (newTab) globalThis.open(url, "_blank", "noopener,noreferrer");
  else globalThis.location.assign(url);
}
