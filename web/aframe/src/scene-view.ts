/** Renders one scene's session in one `a-scene`. */
import type { ClientEvent, DrawnHeads, SceneObject, SceneSession } from "@stoa/client";
import { asScene, behaviourOf, detailOf, type Entity, makeEntity, type SceneElement, type Three } from "./aframe.ts";
import { type Broken, whatIsBroken } from "./assets/broken-files.ts";
import { ENDED } from "./assets/scene-libraries.ts";
import type { Clock } from "./clock.ts";
import { ObjectsView } from "./drawing/objects-view.ts";
import { BlipBehaviour } from "./drawing/stoa-blip.ts";
import { SceneGlideBehaviour } from "./drawing/stoa-glide.ts";
import { ModelBehaviour } from "./drawing/stoa-model.ts";
import type { Body } from "./editing/object-bounds.ts";
import { type Placed, relativeTransform } from "./editing/relative-transform.ts";
import { RemoteHolds } from "./editing/remote-holds.ts";
import { DRAGGING, EditGizmoBehaviour, type EditSettings, MOVE, type Move } from "./editing/stoa-edit-gizmo.ts";
import { onceShown } from "./editing/thumbnail.ts";
import { ImmersivePanels, type OwnWords } from "./immersive-panels.ts";
import { EYE_HEIGHT_M, INPUT_TEXT_LENGTH_MAX, LIST_MAX, PIXEL_RATIO_MAX, SEAT_TAKEN_M } from "./limits.ts";
import type { Comfort } from "./locomotion/comfort.ts";
import { type Credit, creditsOf, type Landmark, landmarksOf } from "./locomotion/landmarks.ts";
import { SceneTeleporter } from "./locomotion/navigation.ts";
import { OmiNodeRegistry, PLACES } from "./locomotion/omi-nodes.ts";
import { RigMovement } from "./locomotion/rig-movement.ts";
import type { SpawnPose } from "./locomotion/spawn-point.ts";
import { GO_TO } from "./locomotion/stoa-landmark.ts";
import type { Journey } from "./locomotion/stoa-portal.ts";
import { markOf } from "./mapping/ar-hit-test.ts";
import { parentOf } from "./mapping/pose.ts";
import { effectsOf, rendererSettings } from "./mapping/post-processing.ts";
import { optionsOf, type SceneInteractionOptions } from "./mapping/scene-options.ts";
import type { MenuEntry } from "./panels/stoa-menu.ts";
import type { OpenWriting, WritingRequest } from "./panels/text-entry.ts";
import type { ModelRefusal } from "./people/model-check.ts";
import { MovedObjects } from "./people/moved-objects.ts";
import { ActivityEffects, type OwnDoing } from "./people/people-activity.ts";
import { PeopleView } from "./people/people-view.ts";
import type { Reaction } from "./people/reactions.ts";
import { CrowdBehaviour } from "./people/stoa-crowd.ts";
import { LocalAvatarBehaviour } from "./people/stoa-local-avatar.ts";
import { MotionDelay } from "./people/track.ts";
import { GrabBehaviour } from "./physics/stoa-grab.ts";
import { ScenePhysicsBehaviour } from "./physics/stoa-physics.ts";
import { repeatPress } from "./pressing/remote-presses.ts";
import { CLIENT_EVENT } from "./pressing/stoa-clickable.ts";
import { HeldButtonBehaviour } from "./pressing/stoa-held-button.ts";
import { OPEN, type OpenRequest } from "./pressing/stoa-link.ts";
import {
  type CapturedPress,
  PointerBehaviour,
  type PointerDetail,
  type PressInterceptor,
} from "./pressing/stoa-pointer.ts";
import { ASK, type TextRequest } from "./pressing/stoa-text-input.ts";
import { surroundingsOf } from "./surroundings/environment.ts";
import { bag, type Xyz } from "./values.ts";

export interface MountOptions {
  /** Base of relative URLs; default: the page's URL. */
  readonly base?: string;
  /** The user's start pose. Default: 3 m in front of the origin, facing it. */
  readonly start?: SpawnPose;
  /** Opens a pressed link; default: in the browser. */
  readonly open?: (request: OpenRequest) => void;
  /** Asks for an object's text input outside of the panels of `words`; `null` on cancel. Default: no question. */
  readonly ask?: (request: TextRequest) => Promise<string | null>;
  /** Travels to another scene of the realm after the user entered or pressed a portal. Default: portals do nothing. */
  readonly travel?: (journey: Journey) => void;
  /** The user's locomotion preferences. */
  readonly comfort?: Comfort;
  /** Largest count of device pixels per CSS pixel; default 2. */
  readonly pixelRatioMax?: number;
  /** Whether the scene's post-processing effects are applied; default true. */
  readonly effects?: boolean;
  /**
   * Publishes moves made in edit mode; rejects if the realm refuses. If it returns `undefined`, the view updates the
   * session itself.
   */
  readonly onMove?: (move: Move) => Promise<void> | undefined;
  /** Called when a move made in edit mode fails, for example because the realm refuses it. */
  readonly onRefused?: (error: unknown) => void;
  /** Called when the lower button of a controller is pressed and when it is released, in VR and AR. */
  readonly onHeld?: (isHeld: boolean) => void;
  /** Texts of the panels in VR and AR; without texts there are no panels. */
  readonly words?: OwnWords;
  /** The clock of the session's motion; must be that of `registerComponents`. Default: `performance.now`. */
  readonly now?: Clock;
}

/** A mounted scene as the page controls it. */
export interface SceneView {
  /** Removes everything that `mountScene` added; the session stays open. */
  dispose(): void;
  /** Selects objects for editing; the scene element emits `stoa-select` with a `Selection` in its detail. */
  select(objectIds: readonly string[]): void;
  setEditMode(enabled: boolean): void;
  /** Changes gizmo settings; omitted keys keep their values. */
  setGizmo(settings: Partial<Omit<EditSettings, "enabled">>): void;
  /** An object's pose relative to another object or, without one, to the scene; `null` while either isn't shown. */
  poseIn(objectId: string, parent: string | null): Placed | null;
  /** A thumbnail of an object's model, `pixels` wide and high, once the model is shown; `null` if there is none. */
  thumbnail(objectId: string, pixels: number): Promise<Blob | null>;
  /** The bounds of the scene's objects; empty until the editing component is initialized. */
  bodies(): readonly Body[];
  /** The object's broken file and the reason; `undefined` if none is broken. */
  brokenOf(objectId: string): Broken | undefined;
  /** The ground point below a point of the window, or `placeAhead` if there is no ground. */
  placeAt(clientX: number, clientY: number, distanceM: number): Xyz;
  /** Input of the on-screen joystick: -1 to 1 each, x to the right, z backwards. */
  setMove(x: number, z: number): void;
  /** Changes the user's locomotion preferences. */
  setComfort(comfort: Comfort): void;
  /** Publishes the user's activity besides movement. */
  setDoing(doing: OwnDoing): void;
  /** Checks whether a model of the realm is usable as an avatar; `null` if it is. */
  checkModel(url: string): Promise<ModelRefusal | null>;
  /** Sends a reaction, which other people see over the user's head, and shows it to the user. */
  react(reaction: Reaction): void;
  /** Moves the user in front of a person, facing them. */
  goToPerson(idTag: string): void;
  /** Hides a person in this page, or shows them again. */
  hidePerson(idTag: string, hidden: boolean): void;
  isPersonHidden(idTag: string): boolean;
  /** Marks the present speakers; all other people are silent. */
  setSpeaking(idTags: ReadonlySet<string>): void;
  /** The heads as drawn now, in scene space. */
  heads(): DrawnHeads;
  /** A position for a new object: `distanceM` ahead of the eyes, on the user's floor level. */
  placeAhead(distanceM: number): { readonly x: number; readonly y: number; readonly z: number };
  /** The named landmarks, and the spawn points in models. */
  landmarks(): readonly Landmark[];
  /** Moves the user to an object, by its landmark, or to a spawn point of `landmarks`. */
  goTo(objectId: string): void;
  /** Authors and licences of the scene's files. */
  credits(): readonly Credit[];
  /** Sets the entries of the menu in VR and AR, in order. */
  setMenu(entries: readonly MenuEntry[]): void;
  /** Opens text entry in VR or AR, replacing an open one; `null` outside of VR and AR, or without `words`. */
  write(request: WritingRequest): OpenWriting | null;
  /** Whether the user can place the scene in their room now. */
  mayPlace(): boolean;
  /** Starts placing the scene: a press puts it on the surface in view. */
  placeInRoom(): void;
  /** Leaves VR or AR. */
  leaveXR(): Promise<void>;
}

/** Renders the scene of `session` in `sceneEl` (an `a-scene`). Call `registerComponents` first. */
export function mountScene(sceneEl: Element, session: SceneSession, options: MountOptions = {}): SceneView {
  return new MountedSceneView(asScene(sceneEl), session, options);
}

const OPTIONS_ID = "scene-options";
const CAMERA = { active: true, far: 1_000, near: 0.05 } as const;

class MountedSceneView implements SceneView {
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
  readonly #movedObjects: MovedObjects;
  readonly #rigMovement: RigMovement;
  readonly #navigation: SceneTeleporter;
  readonly #activity: ActivityEffects;
  readonly #remoteHolds: RemoteHolds;
  readonly #ownPanels: ImmersivePanels;
  readonly #omiNodes: OmiNodeRegistry;
  readonly #delay = new MotionDelay();
  readonly #base: string;
  readonly #listeners = new AbortController();
  readonly #unsubscribes: (() => void)[] = [];
  readonly #dragged = new Set<string>();
  #editing = false;
  #isDisposed = false;
  #retargeting = false;

  constructor(scene: SceneElement, session: SceneSession, options: MountOptions) {
    this.#scene = scene;
    this.#session = session;
    this.#options = options;
    const base = options.base ?? scene.ownerDocument.baseURI;
    this.#base = base;
    this.#root = this.#entity({
      "stoa-batches": {},
      "stoa-glide": {},
      "stoa-crowd": {},
      "stoa-reactions": {},
      "stoa-physics": {},
    });
    this.#surroundings = this.#entity({ "stoa-environment": {} });
    this.#gizmoEl = this.#entity({ "stoa-edit-gizmo": { enabled: false } });
    this.#camera = cameraEntity(scene.ownerDocument);
    this.#rig = this.#makeRig();
    this.#rigMovement = new RigMovement({
      scene,
      rig: this.#rig,
      camera: this.#camera,
      surroundings: this.#surroundings,
      comfort: options.comfort,
      isTaken: (place) => this.#people.isNear(place, SEAT_TAKEN_M),
      travel: options.travel,
    });
    const onTargets = (): void => this.#retarget();
    this.#ownPanels = new ImmersivePanels({ scene, rig: this.#rig, words: options.words, onTargets });
    this.#scene.append(this.#rig);
    this.#objects = new ObjectsView({
      base,
      root: this.#root,
      personSpace: (idTag) => this.#personSpace(idTag),
      onGone: (el) => this.#forgetEntity(el),
      leave: (el, gone) => !this.#isDisposed && (behaviourOf(el, "stoa-blip", BlipBehaviour)?.leave(gone) ?? false),
      smooth: (el, change) => {
        const glide = this.#glide;
        if (glide) glide.smooth(el.object3D, change);
        else change();
      },
    });
    const now = options.now ?? (() => performance.now());
    const following = { now, motion: session.motion, delay: this.#delay };
    const onAdded = (idTag: string): void => this.#objects.attachChildren(idTag);
    this.#people = new PeopleView({ ...following, root: this.#root, base, ground: this.#rigMovement.height, onAdded });
    this.#navigation = new SceneTeleporter({
      ...{ scene, session, rig: this.#rig, camera: this.#camera },
      locomotion: () => this.#rigMovement.locomotion,
      find: (objectId) => this.#objects.get(objectId)?.object3D ?? null,
      headOf: (idTag, place) => this.#people.positionOf(idTag, "head", place),
    });
    this.#omiNodes = new OmiNodeRegistry({
      base,
      open: (url) => this.#scene.emit(OPEN, { url, newTab: false } satisfies OpenRequest, true),
      goTo: (placeId) => this.goTo(placeId),
      onChange: () => {
        this.#retarget();
        this.#scene.emit(PLACES, null, true);
      },
    });
    const doing = { scene, session, root: this.#root, people: this.#people, now };
    this.#activity = new ActivityEffects({ ...doing, pointer: () => this.#pointer });
    this.#movedObjects = new MovedObjects({ ...following, find: (objectId) => this.#movable(objectId) });
    this.#root.addEventListener("loaded", () => this.#connectCrowd(), { once: true });
    this.#listen();
    this.#remoteHolds = new RemoteHolds({
      session,
      find: (objectId) => this.#objects.get(objectId),
      isHidden: (idTag) => this.#people.isHidden(idTag),
      show: (held) => this.#gizmo?.showHeld(held),
    });
    this.#readAll();
    this.#limitPixels();
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const stop of this.#unsubscribes) stop();
    this.#listeners.abort();
    this.#objects.retain(new Map());
    this.#people.dispose();
    this.#movedObjects.dispose();
    this.#rigMovement.dispose();
    this.#activity.dispose();
    this.#remoteHolds.dispose();
    this.#ownPanels.dispose();
    for (const el of [this.#gizmoEl, this.#surroundings, this.#rig, this.#root]) el.remove();
    this.#scene.emit(ENDED, null, false);
  }

  select(objectIds: readonly string[]): void {
    this.#gizmo?.select(objectIds.flatMap((objectId) => this.#objects.get(objectId) ?? []));
  }

  setGizmo(settings: Partial<Omit<EditSettings, "enabled">>): void {
    this.#gizmoEl.setAttribute("stoa-edit-gizmo", settings);
  }

  poseIn(objectId: string, parent: string | null): Placed | null {
    const object = this.#objects.get(objectId)?.object3D;
    const space = parent === null ? this.#root.object3D : this.#objects.get(parent)?.object3D;
    return object && space ? relativeTransform(object, space) : null;
  }

  async thumbnail(objectId: string, pixels: number): Promise<Blob | null> {
    const el = await onceShown(() => this.#objects.get(objectId));
    return (el && this.#gizmo?.picture(el, pixels)) ?? null;
  }

  bodies(): readonly Body[] {
    return this.#gizmo?.bodies(this.#objects.entities()) ?? [];
  }

  brokenOf(objectId: string): Broken | undefined {
    const el = this.#objects.get(objectId);
    return el ? whatIsBroken(el) : undefined;
  }

  placeAt(clientX: number, clientY: number, distanceM: number): Xyz {
    const point = this.#pointer?.groundAt(clientX, clientY, this.#rig.object3D.position.y);
    return point ?? this.placeAhead(distanceM);
  }

  setEditMode(enabled: boolean): void {
    this.#editing = enabled;
    const gizmo = this.#gizmo;
    if (gizmo) gizmo.isMovable = (el) => !this.#isLocked(el.dataset.objectId ?? "");
    this.#gizmoEl.setAttribute("stoa-edit-gizmo", { enabled });
    this.#remoteHolds.setShown(enabled);
    this.#retarget();
  }

  setMove(x: number, z: number): void {
    this.#rigMovement.locomotion?.setMove(x, z);
  }

  setComfort(comfort: Comfort): void {
    this.#rigMovement.setComfort(comfort);
  }

  setDoing(doing: OwnDoing): void {
    this.#activity.setDoing(doing);
  }

  async checkModel(url: string): Promise<ModelRefusal | null> {
    const { href } = new URL(url, this.#base);
    return (await behaviourOf(this.#rig, "stoa-local-avatar", LocalAvatarBehaviour)?.checkModel(href)) ?? null;
  }

  react(reaction: Reaction): void {
    this.#activity.react(reaction);
  }

  goToPerson(idTag: string): void {
    this.#navigation.goToPerson(idTag);
  }

  hidePerson(idTag: string, hidden: boolean): void {
    this.#people.setHidden(idTag, hidden);
    const person = this.#session.people.get(idTag);
    if (!hidden && person !== undefined && this.#people.apply(person)) this.#objects.attachChildren(idTag);
  }

  isPersonHidden(idTag: string): boolean {
    return this.#people.isHidden(idTag);
  }

  setSpeaking(idTags: ReadonlySet<string>): void {
    this.#people.setSpeaking(idTags);
  }

  heads(): DrawnHeads {
    const { object3D } = this.#camera;
    const [position, rotation] = [object3D.position.clone(), object3D.quaternion.clone()];
    object3D.getWorldPosition(position);
    object3D.getWorldQuaternion(rotation);
    const { x, y, z } = position;
    return {
      own: { position: [x, y, z], rotation: [rotation.x, rotation.y, rotation.z, rotation.w] },
      positionOf: (idTag) =>
        this.#people.positionOf(idTag, "head", position) ? [position.x, position.y, position.z] : undefined,
      isHidden: (idTag) => this.#people.isHidden(idTag),
    };
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

  landmarks(): readonly Landmark[] {
    const { objects } = this.#session;
    const isTold = (model: string): boolean =>
      [...objects.values()].some(({ attributes }) => attributes.parent === model && bag(attributes.landmark));
    const all = [...landmarksOf(objects.values()), ...this.#omiNodes.places(isTold)];
    return all.sort((a, b) => a.label.localeCompare(b.label)).slice(0, LIST_MAX);
  }

  goTo(objectId: string): void {
    const node = this.#omiNodes.find(objectId);
    if (node) this.#navigation.goToNode(node);
    else this.#navigation.goTo(objectId);
  }

  credits(): readonly Credit[] {
    return creditsOf(this.#session.objects.values(), this.#base);
  }

  setMenu(entries: readonly MenuEntry[]): void {
    this.#ownPanels.setEntries(entries);
  }

  write(request: WritingRequest): OpenWriting | null {
    return this.#ownPanels.write(request);
  }

  mayPlace(): boolean {
    return this.#ownPanels.mayPlace;
  }

  placeInRoom(): void {
    this.#ownPanels.place();
  }

  async leaveXR(): Promise<void> {
    if (this.#scene.is("vr-mode") || this.#scene.is("ar-mode")) await this.#scene.exitVR?.();
  }

  get #gizmo(): EditGizmoBehaviour | null {
    return behaviourOf(this.#gizmoEl, "stoa-edit-gizmo", EditGizmoBehaviour);
  }

  get #glide(): SceneGlideBehaviour | null {
    return behaviourOf(this.#root, "stoa-glide", SceneGlideBehaviour);
  }

  get #physics(): ScenePhysicsBehaviour | null {
    return behaviourOf(this.#root, "stoa-physics", ScenePhysicsBehaviour);
  }

  get #pointer(): PointerBehaviour | null {
    return behaviourOf(this.#rig, "stoa-pointer", PointerBehaviour);
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
    for (const name of ["stoa-pointer", "stoa-local-avatar", "stoa-held-button"]) rig.setAttribute(name, {});
    rig.append(this.#camera);
    rig.addEventListener("loaded", () => this.#wire(), { once: true });
    this.#camera.addEventListener("loaded", () => this.#takeCamera(), { once: true });
    return rig;
  }

  /** Caps the pixel ratio: A-Frame renders at the screen's ratio, and resets it when VR ends. */
  #limitPixels(): void {
    const limit = (): void => {
      const { pixelRatioMax = PIXEL_RATIO_MAX } = this.#options;
      const { devicePixelRatio = 1 } = this.#scene.ownerDocument.defaultView ?? {};
      if (!this.#scene.is("vr-mode")) this.#scene.renderer.setPixelRatio(Math.min(pixelRatioMax, devicePixelRatio));
    };
    const { signal } = this.#listeners;
    for (const type of ["loaded", "exit-vr"]) this.#scene.addEventListener(type, limit, { signal });
    if (this.#scene.hasLoaded) limit();
  }

  /**
   * Removes the camera that A-Frame injects into a scene without one, possibly after the rig's camera has loaded, and
   * activates the rig's camera.
   */
  #takeCamera(): void {
    for (const el of this.#scene.querySelectorAll(":scope > [camera][aframe-injected]")) el.remove();
    for (const active of [false, true]) this.#camera.setAttribute("camera", { ...CAMERA, active });
  }

  /** Connects the root's initialized components: physics to the session, the crowd to its source. */
  #connectCrowd(): void {
    this.#physics?.serve(this.#session);
    const crowd = behaviourOf(this.#root, "stoa-crowd", CrowdBehaviour);
    const [people, doing, moving, motion] = [this.#people, this.#activity, this.#movedObjects, this.#session.motion];
    if (!crowd) return;
    crowd.source = {
      get distant() {
        return people.distant;
      },
      tick: (nowMs, eyes) => {
        this.#delay.tick(nowMs, motion.jitterMs);
        people.tick(nowMs, eyes);
        doing.tick(nowMs);
        moving.tick(nowMs);
      },
    };
  }

  #readModel(target: EventTarget | null): void {
    const el = target instanceof HTMLElement ? this.#objects.get(target.dataset.objectId ?? "") : null;
    const model = el && el === target ? behaviourOf(el, "stoa-model", ModelBehaviour)?.shown : null;
    if (el && model) this.#omiNodes.show(el, model);
  }

  #isLocked(objectId: string): boolean {
    return this.#session.objects.get(objectId)?.attributes.locked === true;
  }

  /** The node for the motion plane; `null` while the user drags it, this page simulates it, or it has a parent. */
  #movable(objectId: string): Three.Object3D | null {
    const hangs = parentOf(this.#session.objects.get(objectId)?.attributes ?? {}) !== null;
    const isOwn = this.#dragged.has(objectId) || this.#physics?.moves(objectId);
    return hangs || isOwn ? null : (this.#objects.get(objectId)?.object3D ?? null);
  }

  /** Connects the rig's components once they are initialized. */
  #wire(): void {
    const pointer = this.#pointer;
    const avatar = behaviourOf(this.#rig, "stoa-local-avatar", LocalAvatarBehaviour);
    if (avatar) {
      avatar.publisher = this.#session;
      avatar.pointer = pointer;
    }
    if (pointer) {
      pointer.taker = (target, ray, hit, by) => {
        if (this.#ownPanels.owns(target)) return null;
        const placed = this.#ownPanels.take(target);
        if (placed) return placed;
        const press = { object: hit?.object ?? null, point: hit?.point ?? null, adds: pointer.adds };
        // A tracked hand has no grip button, so its pinch grabs.
        const held = by.isHand && by.space ? (this.#gizmo?.grab(target, by.space) ?? null) : null;
        const drag = held ?? this.#gizmo?.take(target, ray, press) ?? null;
        if (drag) this.#beginDrag(this.#gizmo?.selected ?? []);
        return (
          drag ??
          this.#pressLink(hit) ??
          this.#grab(target, ray, hit, by) ??
          this.#rigMovement.take(target, ray, hit, by)
        );
      };
    }
    if (pointer) {
      pointer.gripTaker = (target, { space }) => {
        const drag = space && !this.#ownPanels.owns(target) ? (this.#gizmo?.grab(target, space) ?? null) : null;
        if (drag) this.#beginDrag(this.#gizmo?.selected ?? []);
        return drag;
      };
    }
    const button = behaviourOf(this.#rig, "stoa-held-button", HeldButtonBehaviour);
    if (button) button.onHeld = (isHeld) => this.#options.onHeld?.(isHeld);
    this.#rigMovement.wire();
    this.#ownPanels.wire(pointer, this.#rigMovement.locomotion);
    this.#retarget();
  }

  /** A link node within a model consumes the press. */
  #pressLink(hit: Three.Intersection | null): CapturedPress | null {
    const isDoor = !this.#editing && this.#omiNodes.press(hit?.object ?? null);
    return isDoor ? { move: () => undefined, end: () => undefined } : null;
  }

  /** Grabs a body that may be held and emits its press events, except in edit mode. */
  readonly #grab: PressInterceptor = (target, ray, hit, { source }) => {
    const grab = target && !this.#editing ? behaviourOf(target, "stoa-grab", GrabBehaviour) : null;
    if (grab === null || hit === null) return null;
    const detail = (): PointerDetail => ({ source, point: hit.point.toArray(), origin: ray.origin.toArray() });
    target?.emit("mousedown", detail(), false);
    const drag = grab.take(ray, hit.point, (position, rotation) => {
      return source !== "camera" && this.#pointer?.handPose(source, position, rotation) === true;
    });
    this.#scene.emit(DRAGGING, true);
    return {
      move: (moved) => drag.move(moved),
      end: () => {
        drag.end();
        target?.emit("mouseup", detail(), false);
        this.#scene.emit(DRAGGING, false);
      },
    };
  };

  /** Begins a drag, during which these objects follow the hand and ignore the realm's updates. */
  #beginDrag(els: readonly Entity[]): void {
    for (const el of els) {
      this.#dragged.add(el.dataset.objectId ?? "");
      this.#glide?.stop(el.object3D);
    }
  }

  #listen(): void {
    const { signal } = this.#listeners;
    const on = (type: string, listener: (event: Event) => void): void =>
      this.#scene.addEventListener(type, listener, { signal });
    on(CLIENT_EVENT, (event) => this.#session.sendEvent(detailOf<ClientEvent>(event)));
    on(OPEN, (event) => (this.#options.open ?? openInBrowser)(detailOf<OpenRequest>(event)));
    on(ASK, (event) => void this.#ask(detailOf<TextRequest>(event)));
    on("model-loaded", ({ target }) => this.#readModel(target));
    on(
      "object3dremove",
      (event) => detailOf<{ type: string }>(event).type === "mesh" && this.#omiNodes.forget(event.target),
    );
    on(GO_TO, (event) => this.#navigation.goTo(detailOf<string>(event)));
    on(MOVE, (event) => this.#publishMove(detailOf<Move>(event)));
    on(DRAGGING, (event) => {
      const dragging = detailOf<boolean>(event);
      this.#camera.setAttribute("look-controls", lookSettings(!dragging));
      if (!dragging) this.#dragged.clear();
    });
    this.#unsubscribes.push(
      this.#session.on("object", ({ objectId, object }) => this.#object(objectId, object)),
      this.#session.on("person", ({ idTag, person }) => {
        if (person) this.#person(idTag);
        else this.#personGone(idTag);
      }),
      this.#session.on("clientEvent", (event) => {
        if (event.idTag !== this.#session.me.idTag) repeatPress(this.#objects.get(event.target), event);
      }),
      this.#session.on("cameraOrder", (order) => this.#navigation.follow(order)),
      this.#session.on("reset", () => this.#readAll()),
    );
  }

  /** Asks for a text and sends the answer. As in ARENA, an empty answer isn't sent and a long one is cut. */
  async #ask(request: TextRequest): Promise<void> {
    const answer = this.#ownPanels.isOn ? await this.#ownPanels.ask(request) : await this.#askInPage(request);
    if (answer === null || answer === "") return;
    const text = [...answer].slice(0, INPUT_TEXT_LENGTH_MAX).join("");
    this.#session.sendEvent({ type: "textinput", target: request.objectId, more: { text } });
  }

  /** Leaves VR or AR and asks by the page's form, because a headset doesn't show HTML there. */
  async #askInPage(request: TextRequest): Promise<string | null> {
    await this.leaveXR();
    return (await this.#options.ask?.(request)) ?? null;
  }

  /** Synchronizes everything with the session's current state and removes the rest. */
  #readAll(): void {
    const { objects, people } = this.#session;
    this.#objects.retain(objects);
    for (const idTag of this.#people.retain(people)) this.#objects.attachChildren(idTag);
    this.#activity.retain(people);
    for (const idTag of people.keys()) this.#person(idTag);
    for (const [objectId, object] of objects) this.#object(objectId, object);
    if (!objects.has(OPTIONS_ID)) this.#object(OPTIONS_ID, null);
    this.#retarget();
  }

  #object(objectId: string, object: SceneObject | null): void {
    if (objectId === OPTIONS_ID) {
      const surroundings = surroundingsOf(object?.attributes["env-presets"]);
      const options = optionsOf(object?.attributes["scene-options"], this.#base);
      this.#rigMovement.setOptions(options);
      this.#setPressable(options);
      const mark = markOf(bag(object?.attributes["scene-options"])?.["ar-hit-test"], this.#base);
      this.#rig.setAttribute("stoa-placing", mark);
      this.#surroundings.setAttribute("stoa-picture", this.#pictureOf(object));
      this.#surroundings.setAttribute("stoa-environment", { surroundings });
      return;
    }
    // A dragged object ignores the realm's updates, which lag behind the hand.
    if (object && this.#dragged.has(objectId)) return;
    const shown = object?.type === "object";
    if (object && shown ? this.#objects.apply(objectId, object) : this.#objects.remove(objectId)) this.#retarget();
  }

  /** Applies two scene options of ARENA: one makes all objects clickable, the other marks the origin. */
  #setPressable({ everyPressable, originMarker }: SceneInteractionOptions): void {
    this.#surroundings.setAttribute("stoa-origin", { shown: originMarker });
    if (everyPressable === this.#objects.isEveryPressable) return;
    this.#objects.isEveryPressable = everyPressable;
    for (const [objectId, one] of this.#session.objects) if (objectId !== OPTIONS_ID) this.#object(objectId, one);
    this.#retarget();
  }

  #pictureOf(object: SceneObject | null): object {
    const { localClippingEnabled, sortObjects } = rendererSettings(object?.attributes["renderer-settings"]);
    const effects = this.#options.effects === false ? [] : effectsOf(object?.attributes["post-processing"]);
    return { effects, localClipping: localClippingEnabled, sortObjects };
  }

  #person(idTag: string): void {
    const person = this.#session.people.get(idTag);
    if (!person) return;
    if (this.#people.apply(person)) this.#objects.attachChildren(idTag);
    this.#activity.apply(person);
  }

  #personGone(idTag: string): void {
    this.#people.remove(idTag);
    this.#activity.remove(idTag);
    this.#objects.attachChildren(idTag);
  }

  #personSpace(idTag: string): Three.Object3D | null {
    if (idTag === this.#session.me.idTag) return this.#camera.object3D;
    return this.#people.spaceOf(idTag);
  }

  #forgetEntity(el: Entity): void {
    this.#pointer?.forget(el);
    this.#glide?.stop(el.object3D);
    const selected = this.#gizmo?.selected ?? [];
    if (selected.includes(el)) this.#gizmo?.select(selected.filter((one) => one !== el));
  }

  /** Schedules one update of the raycast targets for all changes of this task. */
  #retarget(): void {
    if (this.#retargeting) return;
    this.#retargeting = true;
    queueMicrotask(() => this.#retargetNow());
  }

  #retargetNow(): void {
    this.#retargeting = false;
    const pointer = this.#pointer;
    if (!pointer) return;
    const targets = [...this.#objects.targets(this.#editing), ...(this.#editing ? [] : this.#omiNodes.doors)];
    const handle = this.#editing ? this.#gizmo?.handle : undefined;
    pointer.foremost = [...this.#ownPanels.targets, ...(handle ? [handle] : [])];
    pointer.targets = [...targets, ...pointer.foremost];
  }

  #publishMove(move: Move): void {
    const asked = this.#options.onMove?.(move) ?? this.#update(move);
    asked.catch((error: unknown) => {
      for (const { objectId } of move.moves) this.#objects.restore(objectId);
      this.#options.onRefused?.(error);
    });
  }

  async #update({ moves, final }: Move): Promise<void> {
    const asked = moves.map(({ objectId, ...attributes }) => {
      const persist = final && (this.#session.objects.get(objectId)?.persist ?? false);
      return this.#session.update(objectId, attributes, { persist });
    });
    await Promise.all(asked);
  }
}

/** Only mouse and touch turn the head: a phone's orientation sensor would ask for a permission first. */
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
