/** Menu entries of the editor in VR and AR, besides grabbing objects by hand. Pure functions. */
import type { MenuEntry } from "@stoa/aframe";
import type { SceneSession } from "@stoa/client";
import { texts } from "../texts/texts.ts";
import { shapes } from "./adding/palette.ts";
import type { Editor } from "./editor.ts";
import { HEADSET_SHAPES_MAX } from "./limits.ts";

const words = texts.edit;

/** Entries for the selection; without one, entries that add objects. */
export function headsetTools(
  editor: Pick<Editor, "add" | "chosen" | "duplicate" | "remove">,
  undo: Pick<SceneSession["undo"], "canRedo" | "canUndo" | "redo" | "undo"> | undefined,
  done: () => void,
): readonly MenuEntry[] {
  const steps: MenuEntry[] = [];
  if (undo?.canUndo) steps.push({ label: texts.undo.undo, run: () => void undo.undo().catch(() => undefined) });
  if (undo?.canRedo) steps.push({ label: texts.undo.redo, run: () => void undo.redo().catch(() => undefined) });
  return [...(editor.chosen.length > 0 ? aboutChosen(editor, done) : toAdd(editor)), ...steps];
}

function aboutChosen(editor: Pick<Editor, "duplicate" | "remove">, done: () => void): readonly MenuEntry[] {
  return [
    { label: words.tools.duplicate, run: () => void editor.duplicate() },
    { label: words.tools.delete, run: () => void editor.remove() },
    { label: words.tools.done, run: done },
  ];
}

function toAdd(editor: Pick<Editor, "add">): readonly MenuEntry[] {
  return shapes.slice(0, HEADSET_SHAPES_MAX).map((piece) => ({
    label: words.add.addAgain(piece.label),
    run: () => void editor.add(piece),
  }));
}
