import { expect, it } from "vitest";
import { pictureOf, pixelRatioMax, rendererName, sceneSettings } from "../../src/scene/graphics.ts";

it.each([
  ["ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)", "fast"],
  ["llvmpipe (LLVM 15.0.6, 256 bits)", "fast"],
  ["ANGLE (Microsoft, Microsoft Basic Render Driver)", "fast"],
  ["Adreno (TM) 740", "fine"],
  ["", "fine"],
] as const)("automatic graphics quality with the renderer %j is %s", (renderer, picture) => {
  expect(pictureOf("auto", () => renderer)).toBe(picture);
});

it("a chosen graphics quality is used without asking for the renderer", () => {
  const never = () => {
    throw new Error("asked");
  };
  expect(pictureOf("fine", never)).toBe("fine");
  expect(pictureOf("fast", never)).toBe("fast");
});

it("fast quality draws fewer pixels, without antialiasing", () => {
  expect(sceneSettings("fast").renderer).toContain("antialias: false");
  expect(sceneSettings("fine").renderer).toContain("antialias: true");
  expect(pixelRatioMax("fast")).toBe(1);
  expect(pixelRatioMax("fine")).toBe(2);
});

it("the renderer's name is empty in a browser without WebGL", () => {
  expect(rendererName(document)).toBe("");
});
