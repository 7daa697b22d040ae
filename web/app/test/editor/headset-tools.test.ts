import { expect, it } from "vitest";
import { headsetTools } from "../../src/editor/headset-tools.ts";
import { FakeSession } from "../support/fake-session.ts";
import { texts } from "../support/texts.ts";
import { put } from "./support.ts";

const { add, pieces, tools } = texts.edit;
const shapes = [pieces.box, pieces.sphere, pieces.cylinder, pieces.cone];

it("the headset's edit tools offer shapes or actions on the selection, and undo or redo", () => {
  const lamp = put(new FakeSession(), "lamp");
  const asked: string[] = [];
  const does = (what: string) => () => Promise.resolve(asked.push(what) > 0);
  const editor = { chosen: [lamp], duplicate: does("duplicate"), remove: does("remove"), add: async () => "box-1" };
  const step = (what: string) => async () => ({ done: asked.push(what) > 0, left: [] });
  const undo = { canUndo: true, canRedo: false, undo: step("undo"), redo: step("redo") };
  const offered = headsetTools(editor, undo, () => asked.push("done"));
  expect(offered.map(({ label }) => label)).toEqual([tools.duplicate, tools.delete, tools.done, texts.undo.undo]);
  for (const { run } of offered) run();
  expect(asked).toEqual(["duplicate", "remove", "done", "undo"]);
  const free = headsetTools({ ...editor, chosen: [] }, { ...undo, canUndo: false, canRedo: true }, () => undefined);
  expect(free.map(({ label }) => label)).toEqual([...shapes.map(add.addAgain), texts.undo.redo]);
});
