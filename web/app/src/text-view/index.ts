/** Defines the text view's elements; loaded when a scene is first opened as text. */
import { StoaText } from "./stoa-text.ts";
import { StoaTextPeople } from "./stoa-text-people.ts";
import { StoaTextThings } from "./stoa-text-things.ts";
import { StoaTextYou } from "./stoa-text-you.ts";

const ELEMENTS = {
  "stoa-text-people": StoaTextPeople,
  "stoa-text-things": StoaTextThings,
  "stoa-text-you": StoaTextYou,
  "stoa-text": StoaText,
} as const;

/** Defines every element. A second call changes nothing. */
export function defineTextView(registry: CustomElementRegistry): void {
  for (const [name, element] of Object.entries(ELEMENTS))
    if (registry.get(name) === undefined) registry.define(name, element);
}
