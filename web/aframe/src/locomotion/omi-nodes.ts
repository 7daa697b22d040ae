/**
 * Reads extensions of the Open Metaverse Interoperability Group from shown models: `OMI_link` is a pressable link,
 * `OMI_spawn_point` a destination. three.js keeps unknown extensions in `userData.gltfExtensions`.
 */
import type { Entity, Three } from "../aframe.ts";
import { MODEL_NODES_MAX, MODEL_TEXT_LENGTH_MAX } from "../limits.ts";
import { safeUrl } from "../safe-url.ts";
import { bag, type JsonObject, text } from "../values.ts";
import type { Landmark } from "./landmarks.ts";

/** Scene event: the links or destinations in shown models have changed. */
export const PLACES = "stoa-places-changed";

export interface OmiNodesOptions {
  /** Base of relative URLs. */
  readonly base: string;
  /** Opens a checked URL. */
  readonly open: (url: string) => void;
  /** Teleports to a model's destination by its id. */
  readonly goTo: (destinationId: string) => void;
  /** The set of raycast targets or destinations has changed. */
  readonly onChange: () => void;
}

interface SpawnPoint extends Landmark {
  readonly node: Three.Object3D;
}

interface ModelDoorsAndSpawns {
  readonly objectId: string;
  readonly doors: readonly Three.Object3D[];
  readonly places: readonly SpawnPoint[];
}

/** Separator in ids of destinations; object ids don't contain it. */
const ID_SEPARATOR = "#";

/** Links and destinations in all shown models. */
export class OmiNodeRegistry {
  readonly #options: OmiNodesOptions;
  readonly #models = new Map<EventTarget, ModelDoorsAndSpawns>();

  constructor(options: OmiNodesOptions) {
    this.#options = options;
  }

  /** The nodes with a link: raycast targets in addition to the objects. */
  get doors(): readonly Three.Object3D[] {
    return [...this.#models.values()].flatMap(({ doors }) => doors);
  }

  /** Adds an object's model after it has loaded. */
  show(el: Entity, model: Three.Object3D): void {
    const nodes = readNodes(model, el.dataset.objectId ?? "");
    const hasNodes = nodes.doors.length + nodes.places.length > 0;
    if (hasNodes) this.#models.set(el, nodes);
    else if (!this.#models.delete(el)) return;
    this.#options.onChange();
  }

  /** Removes an object's model. */
  forget(el: EventTarget | null): void {
    if (el && this.#models.delete(el)) this.#options.onChange();
  }

  /**
   * The named destinations, without those of models for which `isRepresented` returns true: their destinations also
   * exist as landmark objects.
   */
  places(isRepresented: (objectId: string) => boolean): readonly Landmark[] {
    return [...this.#models.values()].flatMap(({ objectId, places }) => (isRepresented(objectId) ? [] : places));
  }

  /** The node of a destination. */
  find(destinationId: string): Three.Object3D | null {
    for (const { places } of this.#models.values()) {
      const found = places.find(({ objectId }) => objectId === destinationId);
      if (found) return found.node;
    }
    return null;
  }

  /** Follows the link of the pressed node or its nearest ancestor with a link; false without a usable link. */
  press(object: Three.Object3D | null): boolean {
    for (let at = object; at; at = at.parent) {
      const uri = linkOf(at);
      if (uri !== "") return this.#follow(at, uri);
    }
    return false;
  }

  #follow(link: Three.Object3D, uri: string): boolean {
    if (!uri.startsWith("#")) {
      const url = safeUrl(uri, this.#options.base);
      if (url !== undefined) this.#options.open(url);
      return url !== undefined;
    }
    const own = [...this.#models.values()].find(({ doors }) => doors.includes(link));
    const spawnPoint = own?.places.find(({ label }) => label === decoded(uri.slice(1)));
    if (spawnPoint) this.#options.goTo(spawnPoint.objectId);
    return spawnPoint !== undefined;
  }
}

function readNodes(model: Three.Object3D, objectId: string): ModelDoorsAndSpawns {
  const doors: Three.Object3D[] = [];
  const places: SpawnPoint[] = [];
  model.traverse((node) => {
    if (doors.length + places.length >= MODEL_NODES_MAX) return;
    if (linkOf(node) !== "") doors.push(node);
    const spawn = extension(node, "OMI_spawn_point");
    if (!spawn) return;
    const label = text(spawn.title)?.trim() || nameOf(node);
    if (label !== "")
      places.push({ objectId: `${objectId}${ID_SEPARATOR}${places.length + 1}`, label: label.slice(0, 100), node });
  });
  return { objectId, doors, places };
}

function linkOf(node: Three.Object3D): string {
  return text(extension(node, "OMI_link")?.uri, MODEL_TEXT_LENGTH_MAX)?.trim() ?? "";
}

function extension(node: Three.Object3D, name: string): JsonObject | undefined {
  return bag(bag(node.userData.gltfExtensions)?.[name]);
}

/** The name in the file: three.js removes spaces and some other characters from `name`. */
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
