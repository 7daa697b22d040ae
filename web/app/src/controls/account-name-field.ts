/** The name field of a new account, with its error and a suggested name. */
import { isName } from "@stoa/client";
import { html, nothing, type TemplateResult } from "lit";
import { ACCOUNT_NAME_BYTES_MAX } from "../limits.ts";
import { texts } from "../texts/texts.ts";

/** Letters with their transliterations, most of two letters. */
const TWO_LETTERS: readonly (readonly [letter: string, two: string])[] = [
  ["ä", "ae"],
  ["ö", "oe"],
  ["ü", "ue"],
  ["ß", "ss"],
  ["æ", "ae"],
  ["ø", "o"],
];

/** The field with the rule and any error below it. The browser's own validation bubble would show neither. */
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

/** The error for a name; empty if it is valid. */
export function wrongWithName(typed: string): string {
  return isName(typed) ? "" : texts.join.badName(typed, suggestedName(typed));
}

/** A valid name similar to the typed one; empty if there is none. */
export function suggestedName(typed: string): string {
  const latin = TWO_LETTERS.reduce((text, [letter, two]) => text.replaceAll(letter, two), typed.toLowerCase());
  const plain = latin
    .normalize("NFD")
    .replaceAll(/\s+/g, ".")
    .replaceAll(/[^a-z0-9_.-]/g, "")
    .replaceAll(/^\.+|\.+$/g, "");
  return isName(plain) ? plain : "";
}
