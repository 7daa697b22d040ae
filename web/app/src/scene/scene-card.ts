/** One scene in the list: its picture, who is in it, and the way in. */
import type { SceneSummary } from "@stoa/client";
import { html, nothing, type TemplateResult } from "lit";
import { texts } from "../texts/texts.ts";

/** How a scene is removed: asked at the first press, done at the second. */
export interface Removal {
  readonly isAsked: boolean;
  readonly press: (event: UIEvent) => void;
  /** The button has lost the focus. */
  readonly leave: () => void;
}

/** What a card is given besides the scene. */
export interface CardParts {
  readonly isGuest: boolean;
  readonly pictureUrl: string | undefined;
  readonly remove: Removal | undefined;
  /** What one does with the whole of it. */
  readonly carry: TemplateResult | undefined;
}

/** `<namespace>/<scene>` */
export function nameOf({ namespace, scene }: SceneSummary): string {
  return `${namespace}/${scene}`;
}

/** Draws a card. */
export function sceneCard(scene: SceneSummary, { isGuest, pictureUrl, remove, carry }: CardParts): TemplateResult {
  const { role, people, names, locked } = scene;
  const name = nameOf(scene);
  return html`<li class="scene">
    ${pictureUrl === undefined ? NO_PICTURE : html`<img class="picture" src=${pictureUrl} alt="" loading="lazy" />`}
    <div class="about">
      <div class="name">${name}</div>
      <div class="muted">${texts.home.inside(people)} · ${texts.home.roles[role]}${locked ? texts.home.locked : nothing}</div>
      ${names.length === 0 ? nothing : html`<div class="muted">${texts.home.who(names, people - names.length)}</div>`}
    </div>
    <div class="deeds">
      <a class="button primary" href="/${name}"
        ><span>${texts.home.enter} <span class="hidden">${name}</span> ${isGuest ? texts.home.asGuest : nothing}</span></a
      >
      ${
        remove === undefined
          ? nothing
          : html`<button type="button" class="danger" @click=${remove.press} @blur=${remove.leave}>
              ${remove.isAsked ? texts.home.reallyRemove : texts.home.remove}<span class="hidden"> ${name}</span>
            </button>`
      }
    </div>
    ${
      carry === undefined
        ? nothing
        : html`<details class="whole">
            <summary>${texts.scenes.carry.more}<span class="hidden"> ${name}</span></summary>
            ${carry}
          </details>`
    }
  </li>`;
}

/** A horizon, where nobody has taken a picture yet. */
const NO_PICTURE = html`<svg class="picture" viewBox="0 0 160 90" aria-hidden="true" preserveAspectRatio="xMidYMid slice">
  <g fill="none" stroke="currentColor" stroke-opacity="0.45" stroke-width="0.75">
    <path d="M0 52h160M80 52 20 90M80 52l60 38M80 52-60 90M80 52l140 38M80 52v38M0 62h160M0 76h160" />
    <circle cx="118" cy="26" r="9" />
  </g>
</svg>`;
