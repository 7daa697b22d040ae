/** Defines the text view's elements; loaded when a scene is first opened as text. */
import { StoaVoicePanel } from "../voice/stoa-voice.ts";
import { StoaTextView } from "./stoa-text.ts";
import { StoaTextPeopleList } from "./stoa-text-people.ts";
import { StoaTextObjectList } from "./stoa-text-things.ts";
import { StoaTextMovementButtons } from "./stoa-text-you.ts";

const ELEMENTS = {
  "stoa-text-people": StoaTextPeopleList,
  "stoa-text-things": StoaTextObjectList,
  "stoa-text-you": StoaTextMovementButtons,
  "stoa-text": StoaTextView,
  "stoa-voice": StoaVoicePanel,
} as const;

/** Defines every element. A second call changes nothing. */
export function defineTextView(registry: CustomElementRegistry): void {
  for (const [name, element] of Object.entries(ELEMENTS))
    if (registry.get(name) === undefined) registry.define(name, element);
}
