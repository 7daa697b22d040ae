import { expect, test } from "vitest";
import { BODY, BodyBehaviour } from "../../src/physics/stoa-body.ts";
import { heard, stubEntity, stubScene } from "../stub-aframe.ts";

test("a body announces its settings, keeps them readable, and announces its removal", () => {
  const scene = stubScene();
  const el = stubEntity(scene, "box");
  const news = heard(scene, BODY);
  const body = new BodyBehaviour(el);
  body.update({ body: '{"type":"dynamic"}' });
  expect([news, body.settings]).toEqual([[{ el, settings: { type: "dynamic" } }], { type: "dynamic" }]);
  body.remove();
  expect([news.at(-1), body.settings]).toEqual([{ el, settings: null }, null]);
});
