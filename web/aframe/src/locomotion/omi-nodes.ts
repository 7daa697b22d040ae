/**
 * What the nodes of shown models say besides their looks, as the Open Metaverse Interoperability Group has it: `OMI_link` leads elsewhere when it is
 * pressed, `OMI_spawn_point` is a place to go to. three.js leaves what it doesn't know in `userData.gltfExtensions`.
 */
import type { Entity, Three } from "../aframe.ts";
import { MODEL_NODES_MAX, MODEL_TEXT_LENGTH_MAX } from "../limits.ts";
import { safeUrl } from "../safe-url.ts";
import { type Bag, bag, text } from "../values.ts";
import type { Landmark } from "./landmarks.ts";

/** The scene's event of places that came or went with a model. */
export const PLACES = "stoa-places-changed";

/** What it is made of. */
export interface OmiNodesOptions {
  /** Where relative addresses start. */
  readonly base: string;
  /** Opens an address that is safe. */
  readonly open: (url: string) => void;
  /** Goes to a place of a model, by its id. */
  readonly goTo: (placeId: string) => void;
  /** Other things can be pressed, or other places gone to, than before. */
  readonly onChange: () => void;
}

interface SpawnPoint extends Landmark {
  readonly node: Three.Object3D;
}

interface ModelNodes {
  readonly objectId: string;
  readonly doors: readonly Three.Object3D[];
  readonly places: readonly SpawnPoint[];
}

/** No id of an object has it. */
const WITHIN = "#";

/** Doors and places of all models that are shown. */
export class OmiNodes {
  readonly #options: OmiNodesOptions;
  readonly #models = new Map<EventTarget, ModelNodes>();

  constructor(options: OmiNodesOptions) {
    this.#options = options;
  }

  /** What a ray may hit besides objects. */
  get doors(): readonly Three.Object3D[] {
    return [...this.#models.values()].flatMap(({ doors }) => doors);
  }

  /** The model of an object is there. */
  show(el: Entity, model: Three.Object3D): void {
    const meant = meantBy(model, el.dataset.objectId ?? "");
    const isMeant = meant.doors.length + meant.places.length > 0;
    if (isMeant) this.#models.set(el, meant);
    else if (!this.#models.delete(el)) return;
    this.#options.onChange();
  }

  /** The model of an object is gone, or another one takes its place. */
  forget(el: EventTarget | null): void {
    if (el && this.#models.delete(el)) this.#options.onChange();
  }

  /** The places that have a name; those of an object whose places are objects themselves are none besides. */
  places(isTold: (objectId: string) => boolean): readonly Landmark[] {
    return [...this.#models.values()].flatMap(({ objectId, places }) => (isTold(objectId) ? [] : places));
  }

  /** Where a place is. */
  find(placeId: string): Three.Object3D | null {
    for (const { places } of this.#models.values()) {
      const found = places.find(({ objectId }) => objectId === placeId);
      if (found) return found.node;
    }
    return null;
  }

  /** Goes where the pressed part of a model leads; false where it leads nowhere. */
  press(object: Three.Object3D | null): boolean {
    for (let at = object; at; at = at.parent) {
      const uri = linkOf(at);
      if (uri !== "") return this.#follow(at, uri);
    }
    return false;
  }

  #follow(door: Three.Object3D, uri: string): boolean {
    if (!uri.startsWith("#")) {
      const url = safeUrl(uri, this.#options.base);
      if (url !== undefined) this.#options.open(url);
      return url !== undefined;
    }
    const own = [...this.#models.values()].find(({ doors }) => doors.includes(door));
    const place = own?.places.find(({ label }) => label === decoded(uri.slice(1)));
    if (place) this.#options.goTo(place.objectId);
    return place !== undefined;
  }
}

function meantBy(model: Three.Object3D, objectId: string): ModelNodes {
  const doors: Three.Object3D[] = [];
  const places: SpawnPoint[] = [];
  model.traverse((node) => {
    if (doors.length + places.length >= MODEL_NODES_MAX) return;
    if (linkOf(node) !== "") doors.push(node);
    const spawn = extension(node, "OMI_spawn_point");
    if (!spawn) return;
    const label = text(spawn.title)?.trim() || nameOf(node);
    if (label !== "")
      places.push({ objectId: `${objectId}${WITHIN}${places.length + 1}`, label: label.slice(0, 100), node });
  });
  return { objectId, doors, places };
}

function linkOf(node: Three.Object3D): string {
  return text(extension(node, "OMI_link")?.uri, MODEL_TEXT_LENGTH_MAX)?.trim() ?? "";
}

function extension(node: Three.Object3D, name: string): Bag | undefined {
  return bag(bag(node.userData.gltfExtensions)?.[name]);
}

/** As the file has it: three.js takes blanks and the like out of `name`. */
function nameOf(node: Three.Object3D): string {
  return (text(node.userData.name, MODEL_TEXT_LENGTH_MAX) ?? node.name).trim();
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
