/** Loads the pictures of an object's material through the scene's queue. Page: docs/components/stoa-pictures.md */
import type { AFrameAdapter, Behaviour, Entity } from "../aframe.ts";
import { ObjectAssetLoader } from "./asset-request.ts";
import type { SceneLibraryLookup } from "./scene-libraries.ts";

export interface MaterialMapsSettings {
  /** As JSON: property of `material` → the picture's URL. */
  readonly maps: string;
  /** As JSON: the material's other settings. A change makes A-Frame drop the pictures; this component restores them. */
  readonly others: string;
}

interface RequestedPicture {
  readonly src: string;
  readonly release: () => void;
  /** URL from which A-Frame reads the picture; empty until loaded. */
  address: string;
}

/** The pictures of one object. */
export class MaterialMapsBehaviour implements Behaviour<MaterialMapsSettings> {
  readonly #el: Entity;
  readonly #libraryOf: SceneLibraryLookup;
  readonly #requests: ObjectAssetLoader;
  readonly #pictures = new Map<string, RequestedPicture>();

  constructor(aframe: AFrameAdapter, el: Entity, libraryOf: SceneLibraryLookup) {
    this.#el = el;
    this.#libraryOf = libraryOf;
    this.#requests = new ObjectAssetLoader(aframe, el);
  }

  update({ maps }: MaterialMapsSettings): void {
    const wanted: Readonly<Record<string, string>> = maps === "" ? {} : JSON.parse(maps);
    for (const [map, { src }] of this.#pictures) if (wanted[map] !== src) this.#drop(map);
    for (const [map, src] of Object.entries(wanted)) {
      const known = this.#pictures.get(map);
      if (known) this.#paint(map, known.address);
      else this.#take(map, src);
    }
  }

  remove(): void {
    for (const map of [...this.#pictures.keys()]) this.#drop(map);
  }

  #take(map: string, src: string): void {
    const { sceneEl } = this.#el;
    if (!sceneEl) return;
    const put = (address: string): void => {
      picture.address = address;
      this.#paint(map, address);
    };
    const release = this.#requests.take(this.#libraryOf(sceneEl), {
      ...{ kind: "picture", src },
      onReady: ({ address = "" }) => put(address),
      onAway: () => put(""),
    });
    const picture: RequestedPicture = { src, release, address: "" };
    this.#pictures.set(map, picture);
  }

  #drop(map: string): void {
    const picture = this.#pictures.get(map);
    this.#pictures.delete(map);
    this.#requests.clear();
    if (picture?.address) this.#paint(map, "");
    picture?.release();
  }

  /** Sets a picture on the material. An object without a material, such as a removed one, needs none. */
  #paint(map: string, address: string): void {
    if (this.#el.hasAttribute("material")) this.#el.setAttribute("material", { [map]: address });
  }
}

/** Registers `stoa-pictures`. */
export function registerPictures(aframe: AFrameAdapter, libraryOf: SceneLibraryLookup): void {
  aframe.registerComponent<MaterialMapsSettings, MaterialMapsBehaviour>({
    name: "stoa-pictures",
    schema: { maps: { type: "string", default: "" }, others: { type: "string", default: "" } },
    create: (el) => new MaterialMapsBehaviour(aframe, el, libraryOf),
  });
}
