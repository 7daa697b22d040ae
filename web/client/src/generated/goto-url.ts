// Generated from spec/objects/goto-url.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Opens an address at a click. */
export interface GotoUrl {
  /** Tab or window in which the address opens. Default `"sametab"`. */
  readonly dest?: "popup" | "newtab" | "sametab";
  /** Event at which it happens. Default `"mousedown"`. */
  readonly on?: "mousedown" | "mouseup";
  /** Address to open. */
  readonly url?: string;
}

/** The schema's description of each attribute of {@link GotoUrl}. */
export const gotoUrlAttributes: Group = {
  attributes: {
    dest: { shape: { kind: "text", values: ["popup", "newtab", "sametab"] }, default: "sametab", required: true },
    on: { shape: { kind: "text", values: ["mousedown", "mouseup"] }, default: "mousedown", required: true },
    url: { shape: { kind: "text" }, format: "uri-reference", required: true },
  },
  prefixes: {
  },
};
