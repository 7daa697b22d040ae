/** The 3D view of a scene, as the pages see it. */
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
import type { SceneSession } from "@stoa/client";
import type { Picture } from "../preferences/preferences.ts";
import { type Destination, destinationOf, landmarkIn } from "../routing/destinations.ts";
import { texts } from "../texts/texts.ts";
import { canDraw, pictureOf, pixelRatioMax, rendererName, sceneSettings } from "./graphics.ts";
import { pictureOfScene } from "./scene-thumbnail.ts";
import type { Question } from "./stoa-ask.ts";

/** Somewhere in the scene, in metres. */
export interface ScenePosition {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Moves objects as they were dragged; rejects where the realm refuses. */
export type Mover = (move: Move) => Promise<void>;

/** A scene that is shown. */
export interface Stage {
  dispose(): void;
  select(objectIds: readonly string[]): void;
  setEditMode(enabled: boolean): void;
  /** Who moves what is dragged in edit mode; `null`: nobody does. */
  setMover(mover: Mover | null): void;
  setGizmo(settings: Partial<Omit<EditSettings, "enabled">>): void;
  poseIn(objectId: string, parent: string | null): Placed | null;
  /** Where the bodies of the scene's objects are. */
  bodies(): readonly Body[];
  /** Which file of an object can't be shown, and why. */
  brokenOf(objectId: string): Broken | undefined;
  placeAt(clientX: number, clientY: number, distanceM: number): ScenePosition;
  thumbnail(objectId: string, pixels: number): Promise<Blob | null>;
  setMove(x: number, z: number): void;
  setComfort(comfort: Comfort): void;
  setDoing(doing: OwnDoing): void;
  react(reaction: Reaction): void;
  checkModel(url: string): Promise<ModelRefusal | null>;
  placeAhead(distanceM: number): ScenePosition;
  /** The places of the scene that have a name. */
  landmarks(): readonly Landmark[];
  goTo(objectId: string): void;
  /** Who made what is here. */
  credits(): readonly Credit[];
  /** Goes before a person, and looks at them. */
  meet(idTag: string): void;
  /** Keeps a person out of this page's sight, or shows them again. */
  hide(idTag: string, hidden: boolean): void;
  isHidden(idTag: string): boolean;
  /** What the menu in VR and AR offers from now on. */
  setMenu(entries: readonly MenuEntry[]): void;
  /** Lets one write in VR or AR; `null` where one is in neither. */
  write(request: WritingRequest): OpenWriting | null;
  /** Whether the scene can be placed in one's own room now. */
  mayPlace(): boolean;
  placeInRoom(): void;
  /** Back from VR or AR to the page. */
  leaveXR(): Promise<void>;
  /** What is seen now, in a small file; nothing, where it can't be drawn. */
  picture(): Promise<Blob | undefined>;
}

/** What a stage is told, and whom it tells. */
export interface StageListener {
  /** How it is drawn; default `auto`. */
  readonly picture?: Picture;
  /** How one likes to be moved. */
  readonly comfort?: Comfort;
  /** Another scene of this realm: a portal was walked into, or an address pressed. */
  readonly onTravel: (to: Destination) => void;
  /** Somebody pressed objects while editing, or nothing. */
  readonly onSelect: (objectIds: readonly string[]) => void;
  /** Something in the scene asks for a text; `null`: none is given. */
  readonly onAsk: (question: Question) => Promise<string | null>;
  /** An address was pressed that is not of this realm. */
  readonly mayLeave: (address: string) => Promise<boolean>;
}

/** This browser draws no 3D. */
export class UndrawableError extends Error {}

/** Shows a scene inside of an element. Rejects with an {@link UndrawableError} where nothing can be drawn. */
export type Raise = (into: Element, session: SceneSession, listener: StageListener) => Promise<Stage>;

/** Chooses one's place and tells it at once: until all is drawn, which takes long on a phone, the others would see one in the middle. */
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

/** The real one. A-Frame is large: it is fetched only once a scene is entered. */
export const raiseStage: Raise = async (into, session, listener) => {
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
  let mover: Mover | null = null;
  const view = mountScene(scene, session, {
    onMove: (move) => mover?.(move),
    start,
    pixelRatioMax: pixelRatioMax(picture),
    effects: picture === "fine",
    ask: (request) => listener.onAsk(request),
    travel: listener.onTravel,
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
    setMenu: (entries) => view.setMenu(entries),
    write: (request) => view.write(request),
    mayPlace: () => view.mayPlace(),
    placeInRoom: () => view.placeInRoom(),
    leaveXR: () => view.leaveXR(),
    picture: () => pictureOfScene(scene),
  };
};

/** Within the realm one goes without a question; a new tab opens only right after a press, so a confirmed one counts as it. */
async function follow({ url, newTab }: OpenRequest, { mayLeave, onTravel }: StageListener): Promise<void> {
  const destination = newTab ? null : destinationOf(url, location.origin);
  if (destination !== null) {
    onTravel(destination);
    return;
  }
  if (new URL(url).origin !== location.origin && !(await mayLeave(url))) return;
  if (newTab) open(url, "_blank", "noopener,noreferrer");
  else location.assign(url);
}

function selectedBy(event: Event): readonly string[] {
  if (!(event instanceof CustomEvent)) return [];
  const { objectIds }: Selection = event.detail;
  return objectIds;
}
