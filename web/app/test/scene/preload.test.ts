import { expect, it } from "vitest";
import { preloadSceneFiles } from "../../src/scene/preload.ts";

const links = () =>
  [...document.head.querySelectorAll("link[rel=modulepreload]")].map((link) => link.getAttribute("href"));

it("the files of a scene are preloaded once, when the page is idle", () => {
  document.head.innerHTML = '<meta name="stoa-scene-files" content="/assets/a.js /assets/b.js" />';
  const waiting: (() => void)[] = [];
  preloadSceneFiles(document, (then) => waiting.push(then));
  expect(links()).toEqual([]);
  for (const then of waiting) then();
  preloadSceneFiles(document, (then) => then());
  expect(links()).toEqual(["/assets/a.js", "/assets/b.js"]);
});

it("a page without a list of scene files preloads nothing", () => {
  document.head.innerHTML = "";
  preloadSceneFiles(document, (then) => then());
  expect(links()).toEqual([]);
});
