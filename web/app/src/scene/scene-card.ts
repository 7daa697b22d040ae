/** A scene's card in the list: its picture, its people and the link to enter. */
import type { SceneSummary } from "@stoa/client";
import { html, nothing, type TemplateResult } from "lit";
import { texts } from "../texts/texts.ts";

/** State and callbacks of the removal: confirmed by a second press. */
export interface SceneRemovalControl {
  readonly isAsked: boolean;
  readonly press: (event: UIEvent) => void;
  /** Called when the button loses the focus. */
  readonly leave: () => void;
}

/** The card's inputs besides the scene. */
export interface CardInputs {
  readonly isGuest: boolean;
  readonly pictureUrl: string | undefined;
  readonly remove: SceneRemovalControl | undefined;
  /** Buttons that export or duplicate the whole scene. */
  readonly carry: TemplateResult | undefined;
}

/** `<namespace>/<scene>` */
export function nameOf({ namespace, scene }: SceneSummary): string {
  return `${namespace}/${scene}`;
}

export function sceneCard(scene: SceneSummary, { isGuest, pictureUrl, remove, carry }: CardInputs): TemplateResult {
  const { role, people, names, locked } = scene;
  const name = nameOf(scene);
  return html`<li class="scene">
    ${pictureUrl === undefined ? NO_PICTURE : html`<img class="picture" src=${pictureUrl} alt="" loading="lazy" />`}
    <div class="about">
      <div class="name">${name}</div>
      <div class="muted">${texts.home.inside(people, names)} · ${texts.home.roles[role]}${locked ? texts.home.locked : nothing}</div>
    </div>
    <div class="deeds">
      <a class="button primary" href="/${name}"
        ><span>${texts.home.enter} <span class="hidden">${name}</span> ${isGuest ? texts.home.asGuest : nothing}</span></a
      >
      ${
        remove === undefined
          ? nothing
          : html`<button type="button" class="danger" @click=${remove.press} @blur=${remove.leave}>
              <span>${remove.isAsked ? texts.home.reallyRemove : texts.home.remove}<span class="hidden"> ${name}</span></span>
            </button>`
      }
    </div>
    ${
      carry === undefined
        ? nothing
        : html`<details class="whole">
            <summary>${texts.scenes.carry.title}<span class="hidden"> ${name}</span></summary>
            ${carry}
          </details>`
    }
  </li>`;
}

/** A horizon, for scenes without a picture. */
const NO_PICTURE = html`<svg class="picture" viewBox="0 0 160 90" aria-hidden="true" preserveAspectRatio="xMidYMid slice">
  <g fill="none" stroke="currentColor" stroke-opacity="0.45" stroke-width="0.75">
    <path d="M0 52h160M80 52 20 90M80 52l60 38M80 52-60 90M80 52l140 38M80 52v38M0 62h160M0 76h160" />
    <circle cx="118" cy="26" r="9" />
  </g>
</svg>`;
