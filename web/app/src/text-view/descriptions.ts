/** Puts bearings and object types into words for the text view, matches searches, and creates its buttons. */
import { html, type TemplateResult } from "lit";
import { number, texts } from "../texts/texts.ts";
import type { Bearing } from "./geometry.ts";
import type { TextViewObject } from "./objects.ts";

const words = texts.textView;

/** A button whose accessible name includes its object. */
export function button(label: string, of: string, act: () => void, look = ""): TemplateResult {
  return html`<button type="button" class=${look} @click=${act}>${label}<span class="hidden"> ${of}</span></button>`;
}

/** Distance and direction in words. */
export function bearingInWords({ distanceM, direction, upM }: Bearing): string {
  const parts = direction === "here" ? [] : [words.away(number(Math.round(distanceM * 10) / 10))];
  parts.push(words.ways[direction]);
  if (Math.abs(upM) >= 1)
    parts.push((upM > 0 ? words.higher : words.lower)(number(Math.round(Math.abs(upM) * 10) / 10)));
  return parts.join(", ");
}

/** The object's type with its colour. */
export function kindOf({ type, color }: Pick<TextViewObject, "type" | "color">): string {
  const kind = words.types.get(type) ?? words.thing;
  return color === undefined ? kind : `${words.colors[color]} ${kind}`;
}

/** Whether the object's description contains the typed text. */
export function matchesSearch({ name, type, color, says }: TextViewObject, typed: string): boolean {
  const text = [name, kindOf({ type, color }), ...says].join(" ");
  return typed === "" || text.toLowerCase().includes(typed.toLowerCase());
}

/** The shortest form of an address that still shows its target, relative to `origin`. */
export function shortened(url: string, origin: string): string {
  const { host, pathname, origin: there } = new URL(url);
  return there === origin ? pathname.slice(1) : host;
}
