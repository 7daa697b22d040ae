/** An object whose files come from a library of the test's. */
import { Group } from "three";
import { AssetError } from "../src/assets/asset-error.ts";
import { Library } from "../src/assets/library.ts";
import { stubEntity, stubScene } from "./stub-aframe.ts";

export const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

/** An object, what its `material` and `sound` were set to, and which files were fetched and freed. */
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

/** A library of files that are there at once, but for those that are gone, and which of them were fetched and freed. */
export function fakeLibrary() {
  const [fetched, freed]: [string[], string[]] = [[], []];
  const library = new Library({
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
