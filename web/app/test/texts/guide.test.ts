// The guide uses the pages' names of buttons, tabs and panels.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { texts } from "../support/texts.ts";

const GUIDE = resolve(import.meta.dirname, "../../../../docs/guide");
const SOURCE = resolve(import.meta.dirname, "../../src/texts");

const said = new Set(
  readdirSync(SOURCE)
    .filter((name) => name.startsWith("texts"))
    .flatMap((name) => wholeTexts(readFileSync(join(SOURCE, name), "utf8"))),
);
/** A-Frame's own button, whose label is none of the pages' texts. */
const OTHERS = ["AR"];

/** The texts of a script; for a template, the parts around its interpolations. */
function wholeTexts(source: string): readonly string[] {
  const texts = [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)];
  return texts
    .flatMap(([, plain, template]) =>
      plain === undefined ? (template ?? "").split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/) : [plain],
    )
    .map((part) => part.replace(/[\s(:]+$/, "").trim())
    .filter((part) => part !== "");
}

/** Bold texts, which name controls. Sentences and addresses are no names. */
function pressed(page: string): readonly string[] {
  const bold = [...page.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words]) => words ?? "");
  return bold.filter((words) => !/[.:]$|^\//.test(words));
}

/** Names in a guide page that no text of the pages contains. */
function unknown(page: string): readonly string[] {
  const isSaid = (words: string) =>
    said.has(words) || words.split("…").every((part) => part.trim() === "" || said.has(part.trim()));
  return pressed(page).filter((words) => !isSaid(words) && !OTHERS.includes(words));
}

describe("the guide", () => {
  test.each(readdirSync(GUIDE))("%s names only existing controls", (name) => {
    expect(unknown(readFileSync(join(GUIDE, name), "utf8"))).toEqual([]);
  });

  test("negative control: a wrong or partial control name is found", () => {
    const [whole, opens] = [texts.enter.asGuest, texts.edit.abilities.kinds["goto-url"]];
    const [part, word] = [whole.slice(0, -2), texts.history.everybody.slice(0, -2)];
    expect(
      unknown(`Press **${whole}**, then **${texts.history.undoHour("…")}**, and open **${opens?.name}**.`),
    ).toEqual([]);
    expect(unknown(`Press **${whole} or not**.`)).toEqual([`${whole} or not`]);
    expect(unknown(`Press **${part}**, then **${word}**.`), "a part of one is none").toEqual([part, word]);
  });
});
