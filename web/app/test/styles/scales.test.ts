// `theme.css` defines the scales of type, spaces and corner radii; elements use no other sizes.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const SOURCES = join(import.meta.dirname, "../../src");
/** The one file that resets list bullets and styles fields and buttons. */
const SHARED = "styles/shared.ts";

/** Properties that must use a step of a scale. */
const SCALED = /^(font|font-size|(row-|column-)?gap|(margin|padding)(-[a-z-]+)?|border-([a-z]+-){0,2}radius)$/;
/** An absolute length, as opposed to a percentage or viewport unit. */
const LENGTH = /\d(rem|em|px|pt|ch)\b/;

interface Declaration {
  readonly property: string;
  readonly value: string;
}

/** The declarations of a style sheet, or of the `css` templates in a script. */
function declarationsOf(source: string): readonly Declaration[] {
  const sheets = [...source.matchAll(/(?<![\w.])css`([^`]*)`/g)].map(([, sheet = ""]) =>
    // An interpolated value counts as a number.
    sheet.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/\$\{[^}]*\}/g, "1"),
  );
  return sheets.flatMap((sheet) =>
    [...sheet.matchAll(/(?<=[{;]\s*)([a-z-]+):\s*([^;{}]+)(?=[;}])/g)].map(([, property = "", value = ""]) => ({
      property,
      value: value.trim(),
    })),
  );
}

/** Declarations outside the scales, one line each. */
function strays(source: string): readonly string[] {
  return declarationsOf(source)
    .filter(({ property, value }) => SCALED.test(property) && LENGTH.test(value.replaceAll(/var\([^()]*\)/g, "")))
    .map(({ property, value }) => `${property}: ${value}`);
}

const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));

describe("sizes are steps of the scales", () => {
  it.each(files)("%s uses only steps of the scales", (name) => {
    expect(strays(readFileSync(join(SOURCES, name), "utf8"))).toEqual([]);
  });

  it("negative control: sizes outside the scales are found", () => {
    const planted =
      "css`\n  p {\n    font-size: 0.9rem;\n    margin: 0 -6px;\n    gap: var(--space-1) 1em;\n    border-start-end-radius: 6px;\n    font: 600 13px serif;\n    row-gap: $" +
      "{7}px\n  }\n`";
    expect(strays(planted)).toEqual([
      "font-size: 0.9rem",
      "margin: 0 -6px",
      "gap: var(--space-1) 1em",
      "border-start-end-radius: 6px",
      "font: 600 13px serif",
      "row-gap: 1px",
    ]);
    const good =
      "css`\n  p {\n    margin: 0 calc(-1 * var(--space-2)) auto;\n    padding: clamp(var(--space-1), 5vw, var(--space-7));\n    border-radius: 50%;\n  }\n`";
    expect(strays(good)).toEqual([]);
    expect(declarationsOf(good), "and these were looked at").toHaveLength(3);
  });
});

describe("lists and forms look alike", () => {
  it.each(files.filter((name) => name !== SHARED))("%s sets no list-style of its own", (name) => {
    const own = declarationsOf(readFileSync(join(SOURCES, name), "utf8"));
    expect(own.filter(({ property }) => property === "list-style")).toEqual([]);
  });

  it("shared.ts sets the list-style", () => {
    const shared = declarationsOf(readFileSync(join(SOURCES, SHARED), "utf8"));
    expect(shared.some(({ property }) => property === "list-style")).toBe(true);
  });
});
