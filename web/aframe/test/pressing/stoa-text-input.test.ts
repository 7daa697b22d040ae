import { expect, test } from "vitest";
import { TextInputBehaviour } from "../../src/pressing/stoa-text-input.ts";
import { heard, stubEntity, stubScene } from "../stub-aframe.ts";

const QUESTION = {
  title: "What do you like?",
  label: "Say",
  placeholder: "",
  inputType: "text",
  inputValue: "",
  inputOptions: [],
};

test("the configured event requests the form once, with all its settings", () => {
  const scene = stubScene();
  const el = stubEntity(scene, "menu");
  const input = new TextInputBehaviour(el);
  input.update({ on: "mousedown", ...QUESTION });
  input.update({ on: "mouseup", ...QUESTION });
  const asked = heard(scene, "stoa-ask");
  el.emit("mousedown", undefined, false);
  expect(asked).toEqual([]);
  el.emit("mouseup", undefined, false);
  expect(asked).toEqual([{ ...QUESTION, objectId: "menu" }]);
  input.remove();
  el.emit("mouseup", undefined, false);
  expect(asked.length).toBe(1);
});
