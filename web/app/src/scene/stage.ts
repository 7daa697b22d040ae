/** The interface between the pages and the 3D view of a scene. */
import type {
  Body,
  Broken,
  Credit,
  EditSettings,
  Landmark,
  MenuEntry,
  ModelRefusal,
  Move,
  OpenRequest,
  OpenWriting,
  OwnDoing,
  Placed,
  Reaction,
  Selection,
  StartPlace,
  WritingRequest,
} from "@stoa/aframe";
import type { Comfort } from "@stoa/aframe/comfort";
import type { DrawnHeads, SceneSession } from "@stoa/client";
import type { GraphicsQuality } from "../preferences/preferences.ts";
import { destinationOf, landmarkIn, opensUnasked, type SceneDestination } from "../routing/destinations.ts";
import { texts } from "../texts/texts.ts";
import { canDraw, pictureOf, pixelRatioMax, rendererName, sceneSettings } from "./graphics.ts";
import { pictureOfScene } from "./scene-thumbnail.ts";
import type { Question } from "./stoa-ask.ts";

/** A position in the scene, in metres. */
export interface ScenePoint {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Moves dragged objects. Rejects if the realm refuses. */
export type MoveObjects = (move: Move) => Promise<void>;

/** A scene that is shown. */
export interface SceneViewController {
  dispose(): void;
  select(objectIds: readonly string[]): void;
  setEditMode(enabled: boolean): void;
  /** Sets the receiver of drags in edit mode, or `null`. */
  setMover(mover: MoveObjects | null): void;
  setGizmo(settings: Partial<Omit<EditSettings, "enabled">>): void;
  poseIn(objectId: string, parent: string | null): Placed | null;
  /** Bounds of the scene's objects. */
  bodies(): readonly Body[];
  /** The file of an object that failed to load, with the reason. */
  brokenOf(objectId: string): Broken | undefined;
  placeAt(clientX: number, clientY: number, distanceM: number): ScenePoint;
  thumbnail(objectId: string, pixels: number): Promise<Blob | null>;
  setMove(x: number, z: number): void;
  setComfort(comfort: Comfort): void;
  setDoing(doing: OwnDoing): void;
  react(reaction: Reaction): void;
  checkModel(url: string): Promise<ModelRefusal | null>;
  placeAhead(distanceM: number): ScenePoint;
  /** The scene's landmarks. */
  landmarks(): readonly Landmark[];
  goTo(objectId: string): void;
  /** Authors of the scene's files. */
  credits(): readonly Credit[];
  /** Moves in front of a person, facing them. */
  meet(idTag: string): void;
  /** Hides a person on this page, or shows them again. */
  hide(idTag: string, hidden: boolean): void;
  isHidden(idTag: string): boolean;
  /** Marks the present speakers; all other people are silent. */
  setSpeaking(idTags: ReadonlySet<string>): void;
  /** The heads as drawn now. */
  heads(): DrawnHeads;
  /** Replaces the entries of the menu in VR and AR. */
  setMenu(entries: readonly MenuEntry[]): void;
  /** Opens a keyboard in VR or AR; `null` outside of both. */
  write(request: WritingRequest): OpenWriting | null;
  /** Whether the scene can be placed in the user's room now. */
  mayPlace(): boolean;
  placeInRoom(): void;
  /** Leaves VR or AR. */
  leaveXR(): Promise<void>;
  /** A small picture of the current view; `undefined` if it can't be drawn. */
  picture(): Promise<Blob | undefined>;
}

/** Settings and callbacks of a stage. */
export interface StageOptions {
  /** Graphics quality; default `auto`. */
  readonly picture?: GraphicsQuality;
  /** Comfort settings of movement. */
  readonly comfort?: Comfort;
  /** The user walked into a portal or pressed a link to another scene of this realm. */
  readonly onTravel: (to: SceneDestination) => void;
  /** The user pressed objects in edit mode; empty for none. */
  readonly onSelect: (objectIds: readonly string[]) => void;
  /** The user presses the lower button of a controller, or releases it, in VR and AR. */
  readonly onHeld: (isHeld: boolean) => void;
  /** An object asks for a text; `null` if the user gives none. */
  readonly onAsk: (question: Question) => Promise<string | null>;
  /** The user pressed a link that needs consent; resolves to the user's decision. */
  readonly mayLeave: (address: string) => Promise<boolean>;
}

/** Thrown if this browser can't draw 3D. */
export class UndrawableError extends Error {}

/** Shows a scene inside an element. Rejects with an {@link UndrawableError} if it can't be drawn. */
export type StageMounter = (
  into: Element,
  session: SceneSession,
  listener: StageOptions,
) => Promise<SceneViewController>;

/**
 * Picks the start position and sends it at once. Loading takes long on a phone, and until then other pages would draw
 * the user at the origin.
 */
async function arrive(session: SceneSession): Promise<StartPlace> {
  const { eyesOf, firstPose, startPlace } = await import("@stoa/aframe/meaning");
  const others = eyesOf(session.people.values());
  const start = startPlace(session.objects.values(), {
    random: Math.random,
    landmark: landmarkIn(location.hash),
    others,
  });
  session.publishCamera(firstPose(start));
  return start;
}

/** The production implementation. A-Frame is large, so it is loaded only when a scene is entered. */
export const showStage: StageMounter = async (into, session, listener) => {
  if (!canDraw(document)) throw new UndrawableError("this browser has no WebGL 2");
  const drawing = Promise.all([import("aframe"), import("@stoa/aframe")]);
  const start = await arrive(session);
  const [library, { mountScene, registerComponents }] = await drawing;
  registerComponents(library.default);
  const picture = pictureOf(listener.picture ?? "auto", () => rendererName(document));
  const scene = document.createElement("a-scene");
  for (const [name, value] of Object.entries(sceneSettings(picture))) scene.setAttribute(name, value);
  scene.addEventListener("stoa-select", (event) => listener.onSelect(selectedBy(event)));
  into.append(scene);
  let mover: MoveObjects | null = null;
  const view = mountScene(scene, session, {
    onMove: (move) => mover?.(move),
    start,
    pixelRatioMax: pixelRatioMax(picture),
    effects: picture === "fine",
    ask: (request) => listener.onAsk(request),
    travel: listener.onTravel,
    onHeld: listener.onHeld,
    words: texts.inScene,
    ...(listener.comfort === undefined ? {} : { comfort: listener.comfort }),
    open: (request) => void follow(request, listener),
  });
  return {
    dispose() {
      view.dispose();
      scene.remove();
    },
    select: (objectIds) => view.select(objectIds),
    setEditMode: (enabled) => view.setEditMode(enabled),
    setDoing: (doing) => view.setDoing(doing),
    react: (reaction) => view.react(reaction),
    checkModel: (url) => view.checkModel(url),
    setComfort: (comfort) => view.setComfort(comfort),
    setMover: (given) => {
      mover = given;
    },
    setGizmo: (settings) => view.setGizmo(settings),
    poseIn: (objectId, parent) => view.poseIn(objectId, parent),
    bodies: () => view.bodies(),
    brokenOf: (objectId) => view.brokenOf(objectId),
    placeAt: (clientX, clientY, distanceM) => view.placeAt(clientX, clientY, distanceM),
    thumbnail: (objectId, pixels) => view.thumbnail(objectId, pixels),
    setMove: (x, z) => view.setMove(x, z),
    placeAhead: (distanceM) => view.placeAhead(distanceM),
    landmarks: () => view.landmarks(),
    goTo: (objectId) => view.goTo(objectId),
    credits: () => view.credits(),
    meet: (idTag) => view.goToPerson(idTag),
    hide: (idTag, hidden) => view.hidePerson(idTag, hidden),
    isHidden: (idTag) => view.isPersonHidden(idTag),
    setSpeaking: (idTags) => view.setSpeaking(idTags),
    heads: () => view.heads(),
    setMenu: (entries) => view.setMenu(entries),
    write: (request) => view.write(request),
    mayPlace: () => view.mayPlace(),
    placeInRoom: () => view.placeInRoom(),
    leaveXR: () => view.leaveXR(),
    picture: () => pictureOfScene(scene),
  };
};

/**
 * Opens a pressed link: scenes and stored files without a question, other addresses after one. Browsers allow a
 * new tab only right after a press; the confirming press counts as one.
 */
async function follow({ url, newTab }: OpenRequest, { mayLeave, onTravel }: StageOptions): Promise<void> {
  const destination = newTab ? null : destinationOf(url, location.origin);
  if (destination !== null) {
    onTravel(destination);
    return;
  }
  if (!opensUnasked(url, location.origin) && !(await mayLeave(url))) return;
  if (newTab) open(url, "_blank", "noopener,noreferrer");
  else location.assign(url);
}

function selectedBy(event: Event): readonly string[] {
  if (!(event instanceof CustomEvent)) return [];
  const { objectIds }: Selection = event.detail;
  return objectIds;
}
