/** The name of a new account: its field, what is wrong with what was typed, and what would do instead. */
import { isName } from "@stoa/client";
import { html, nothing, type TemplateResult } from "lit";
import { ACCOUNT_NAME_BYTES_MAX } from "../limits.ts";
import { texts } from "../texts/texts.ts";

/** Letters that are written with two without their dots or strokes. */
const TWO_LETTERS: readonly (readonly [letter: string, two: string])[] = [
  ["ä", "ae"],
  ["ö", "oe"],
  ["ü", "ue"],
  ["ß", "ss"],
  ["æ", "ae"],
  ["ø", "o"],
];

/** The field; below it the rule, or what is wrong. The browser's own bubble would say of neither. */
export function nameField(wrong: string): TemplateResult {
  return html`<div class="stack">
    <label
      >${texts.shared.accountName}<input
        name="username"
        autocomplete="username"
        required
        maxlength=${ACCOUNT_NAME_BYTES_MAX}
        aria-describedby="name-rule name-wrong"
        aria-invalid=${wrong === "" ? nothing : "true"}
    /></label>
    <p id="name-rule" class="muted small">${texts.join.nameRule}</p>
    <p id="name-wrong" class="wrong" role="alert">${wrong === "" ? nothing : wrong}</p>
  </div>`;
}

/** What is wrong with a name, in words; empty: nothing. */
export function wrongWithName(typed: string): string {
  return isName(typed) ? "" : texts.join.badName(typed, suggestedName(typed));
}

/** A name that would do, as near as can be; empty: there is none. */
export function suggestedName(typed: string): string {
  const latin = TWO_LETTERS.reduce((text, [letter, two]) => text.replaceAll(letter, two), typed.toLowerCase());
  const plain = latin
    .normalize("NFD")
    .replaceAll(/\s+/g, ".")
    .replaceAll(/[^a-z0-9_.-]/g, "")
    .replaceAll(/^\.+|\.+$/g, "");
  return isName(plain) ? plain : "";
}
