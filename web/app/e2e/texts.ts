// The pages' texts, by which these tests select.
import { LOOK_COLORS } from "../src/preferences/avatar-appearance.ts";
import { number, texts } from "../src/texts/texts.ts";

export { number, texts };

export type PanelId = keyof typeof texts.overlay.panels;

/** The name of the link from the list of scenes into one: `Enter public/lobby as guest`. */
export function linkInto(scene: string, asGuest = true): string {
  return [texts.home.enter, scene, ...(asGuest ? [texts.home.asGuest] : [])].join(" ");
}

/** A guest's name as other people see it. */
export const guest = texts.history.guest;

/** The text of a refusal, by the realm's code. */
export function refusal(code: string): string {
  const why = texts.reasons.refused.get(code);
  if (why === undefined) throw new Error(`no text says ${code}`);
  return why;
}

/** The editor's name for a property of a schema. */
export function fieldName(schema: string, property: string): string {
  const words = texts.edit.fields[schema]?.[property];
  if (words === undefined) throw new Error(`no text names ${schema}.${property}`);
  return words.name;
}

/** The name of an avatar colour. */
export function lookColor(color: (typeof LOOK_COLORS)[number]): string {
  const name = texts.looks.colors[LOOK_COLORS.indexOf(color)];
  if (name === undefined) throw new Error(`no text names ${color}`);
  return name;
}

/** An expression that matches any of these. */
export function anyOf(some: readonly (string | RegExp)[]): RegExp {
  return new RegExp(some.map((one) => (typeof one === "string" ? literally(one) : one.source)).join("|"));
}

/**
 * The text as an expression. Each key of `parts` is a placeholder in the text for any match: `like(optimised("A1",
 * "B2"), { A1: /\d+ MB/, B2: /\d+ kB/ })`.
 */
export function like(text: string, parts: Readonly<Record<string, RegExp>>): RegExp {
  const source = Object.entries(parts).reduce(
    (whole, [mark, { source: part }]) => whole.replaceAll(literally(mark), `(?:${part})`),
    literally(text),
  );
  return new RegExp(source);
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
