import { expect, test } from "vitest";
import { BROKEN } from "../../src/assets/broken-files.ts";
import { SoundBehaviour } from "../../src/assets/stoa-sound.ts";
import { paintable, settled } from "../paintable.ts";
import { heard, stubAFrame } from "../stub-aframe.ts";

test("a sound is set once its file loads, isn't refetched for other settings, and reports a broken file", async () => {
  const { scene, el, sounds, fetched, freed, library } = paintable();
  const told = heard(scene, BROKEN);
  const sound = new SoundBehaviour(stubAFrame(), el, () => library);
  const settings = { src: "bell.mp3", on: "mousedown", sound: JSON.stringify({ volume: 0.5 }) };
  sound.update(settings);
  expect(sounds).toEqual([]);
  await settled();
  expect(sounds).toEqual([{ src: "url(blob:bell.mp3)", on: "mousedown", volume: 0.5 }]);
  sound.update({ ...settings, on: "", sound: JSON.stringify({ autoplay: true }) });
  expect([sounds.at(-1), fetched]).toEqual([{ src: "url(blob:bell.mp3)", autoplay: true }, ["sound bell.mp3"]]);
  sound.update({ ...settings, src: "gone.mp3" });
  await settled();
  expect([told.length, freed, el.hasAttribute("sound")]).toEqual([1, ["bell.mp3"], false]);
  sound.remove();
  expect([library.size, el.object3D.children.length]).toEqual([0, 0]);
});
