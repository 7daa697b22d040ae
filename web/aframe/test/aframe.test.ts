import * as THREE from "three";
import { expect, test } from "vitest";
import { AFrameAdapter } from "../src/aframe.ts";

/** A component run as by A-Frame: with one settings object that is mutated. */
function declared(updated: (data: { readonly src: string }) => void) {
  const data = { src: "a" };
  const instance = { el: null, data, behaviour: null };
  const definitions: { init(): void; update(): void }[] = [];
  const library = {
    ...{ THREE, components: {}, systems: {}, geometries: {}, shaders: {} },
    registerComponent: (_name: string, definition: { init(): void; update(): void }) => definitions.push(definition),
  };
  new AFrameAdapter(library).registerComponent({
    name: "tried",
    schema: { src: { type: "string", default: "" } },
    create: () => ({ update: updated, remove: () => undefined }),
  });
  const [definition] = definitions;
  return { data, init: () => definition?.init.call(instance), update: () => definition?.update.call(instance) };
}

test("a component's earlier settings are unchanged after A-Frame mutates its settings object", () => {
  const seen: { readonly src: string }[] = [];
  const { data, init, update } = declared((settings) => seen.push(settings));
  init();
  update();
  data.src = "b";
  update();
  expect(seen).toEqual([{ src: "a" }, { src: "b" }]);
});
