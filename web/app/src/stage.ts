/** The 3D view of a scene, as the pages see it. */
import type { SceneSession } from "@stoa/client";
import { pictureOf, pixelRatioMax, rendererName, sceneSettings } from "./graphics.ts";
import type { Picture } from "./preferences.ts";
import type { Place } from "./stoa-edit.ts";

/** A scene that is shown. */
export interface Stage {
  dispose(): void;
  select(objectId: string | null): void;
  setEditMode(enabled: boolean): void;
  setMove(x: number, z: number): void;
  placeAhead(distanceM: number): Place;
}

/** What a stage is told, and whom it tells. */
export interface StageListener {
  /** How it is drawn; default `auto`. */
  readonly picture?: Picture;
  /** Somebody pressed an object while editing, or nothing. */
  readonly onSelect: (objectId: string | null) => void;
}

/** Shows a scene inside of an element. */
export type Raise = (into: Element, session: SceneSession, listener: StageListener) => Promise<Stage>;

/** The real one. A-Frame is large: it is fetched only once a scene is entered. */
export const raiseStage: Raise = async (into, session, listener) => {
  const [library, { mountScene, registerComponents, startPlace }] = await Promise.all([
    import("aframe"),
    import("@stoa/aframe"),
  ]);
  registerComponents(library.default);
  const picture = pictureOf(listener.picture ?? "auto", () => rendererName(document));
  const scene = document.createElement("a-scene");
  for (const [name, value] of Object.entries(sceneSettings(picture))) scene.setAttribute(name, value);
  scene.addEventListener("stoa-select", (event) => listener.onSelect(selectedBy(event)));
  into.append(scene);
  const view = mountScene(scene, session, {
    start: startPlace(session.objects.values(), Math.random),
    pixelRatioMax: pixelRatioMax(picture),
  });
  return {
    dispose() {
      view.dispose();
      scene.remove();
    },
    select: (objectId) => view.select(objectId),
    setEditMode: (enabled) => view.setEditMode(enabled),
    setMove: (x, z) => view.setMove(x, z),
    placeAhead: (distanceM) => view.placeAhead(distanceM),
  };
};

function selectedBy(event: Event): string | null {
  if (!(event instanceof CustomEvent)) return null;
  const detail: unknown = event.detail;
  if (typeof detail !== "object" || detail === null || !("objectId" in detail)) return null;
  return typeof detail.objectId === "string" ? detail.objectId : null;
}
