/** Draws the text view's skip links, landmarks and log of events. */
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { texts } from "../texts/texts.ts";
import { bearingInWords, button } from "./descriptions.ts";
import type { NearbyEntry, NearbyLists } from "./nearby.ts";
import type { TextViewObject } from "./objects.ts";
import type { Visit } from "./visit.ts";

const words = texts.textView;

/** A section under a heading that skip links can target. */
export function part(id: string, title: string, content: TemplateResult): TemplateResult {
  return html`<section aria-labelledby=${id}>
    <h2 id=${id} tabindex="-1">${title}</h2>
    ${content}
  </section>`;
}

/** Skip links to the sections that exist. */
export function jumps(
  { people, places, tries, things, speaks }: NearbyLists & { readonly speaks: boolean },
  jump: (event: Event, id: string) => void,
): TemplateResult {
  const parts: readonly (readonly [id: string, title: string])[] = [
    ["you", words.you],
    ["people", words.people(people.length)],
    ...(places.length === 0 ? [] : [["places", words.places(places.length)] as const]),
    ...(tries.length === 0 ? [] : [["tries", words.tries(tries.length)] as const]),
    ...(things.length === 0 ? [] : [["things", words.things(things.length)] as const]),
    ["happens", words.happens],
    ["chat", texts.chat.title],
    ...(speaks ? [["voice", texts.overlay.panels.voice] as const] : []),
  ];
  return html`<nav class="jump" aria-label=${words.jump}>
    ${parts.map(([id, title]) => html`<a href="#${id}" @click=${(event: Event) => jump(event, id)}>${title}</a>`)}
  </nav>`;
}

/** The list of landmarks. */
export function placeList(
  places: readonly NearbyEntry<TextViewObject>[],
  visit: Visit,
): TemplateResult | typeof nothing {
  if (places.length === 0) return nothing;
  const list = html`<ul class="list">
    ${repeat(
      places,
      ({ id }) => id,
      ({ of: object, bearing }) => html`<li>
        <div class="what">
          <h3>${object.landmark}</h3>
          <span class="muted">${bearing === undefined ? nothing : bearingInWords(bearing)}</span>
        </div>
        <div class="row-of-buttons">${button(words.goTo, object.landmark ?? "", () => visit.travel(object.id))}</div>
      </li>`,
    )}
  </ul>`;
  return part("places", words.places(places.length), list);
}

/** The log of events, a live region for screen readers. */
export function newsList({ lines }: Pick<Visit, "lines">): TemplateResult {
  const log = html`<div class="log" role="log" aria-live="polite" aria-labelledby="happens" tabindex="0">
    ${lines.length === 0 ? html`<p class="muted">${words.quiet}</p>` : nothing}
    ${repeat(
      lines,
      ({ id }) => id,
      ({ text, own }) => html`<p aria-live=${own ? "off" : nothing}>${text}</p>`,
    )}
  </div>`;
  return part("happens", words.happens, log);
}
