/** An object whose files load from a library controlled by the test. */
import { Group } from "three";
import { AssetError } from "../src/assets/asset-error.ts";
import { AssetLibrary } from "../src/assets/library.ts";
import { stubEntity, stubScene } from "./stub-aframe.ts";

export const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

/** An object, its settings of `material` and `sound`, and the lists of fetched and freed files. */
export function paintable() {
  const scene = stubScene();
  const el = stubEntity(scene, "wall");
  const material: Record<string, unknown> = {};
  const sounds: unknown[] = [];
  const plain = el.setAttribute.bind(el);
  plain("material", "");
  Object.assign(el, {
    setAttribute(name: string, value: unknown) {
      if (name === "material") Object.assign(material, value);
      if (name === "sound") sounds.push(value);
      plain(name, "");
    },
  });
  return { scene, el, material, sounds, ...fakeLibrary() };
}

/** A library that loads all files immediately, except missing ones, and lists the fetched and freed files. */
export function fakeLibrary() {
  const [fetched, freed]: [string[], string[]] = [[], []];
  const library = new AssetLibrary({
    textureBytesMax: 1_000,
    onProgress: () => undefined,
    load: async ({ kind, src }) => {
      fetched.push(`${kind} ${src}`);
      if (src.includes("gone")) throw new AssetError("missing", src);
      const address = `blob:${src}`;
      return { copy: () => new Group(), animations: [], textureBytes: 0, address, dispose: () => freed.push(src) };
    },
  });
  return { fetched, freed, library };
}
