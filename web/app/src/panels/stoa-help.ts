import { css, html, LitElement, type TemplateResult } from "lit";
import { icon } from "../styles/icons.ts";
import { sections, sharedStyles } from "../styles/shared.ts";
import { texts } from "../texts/texts.ts";

const words = texts.help;
const { keys, touch, headset } = words.parts;

/** Controls for keyboard and mouse, touch and headset, with links to the text view and the certificate page. */
export class StoaHelpPanel extends LitElement {
  static override readonly properties = { scene: {} };
  static override readonly styles = [
    sharedStyles,
    sections,
    css`
      dl {
        display: grid;
        grid-template-columns: 7.5rem 1fr;
        gap: var(--space-1) var(--space-3);
        margin: 0;
      }
      dt {
        font-weight: 650;
      }
      dd {
        margin: 0;
      }
    `,
  ];
  declare scene: string;

  constructor() {
    super();
    this.scene = "";
  }

  override render(): TemplateResult {
    return html`${ways().map(
      ({ title, ways }) => html`<section>
          <h3>${title}</h3>
          <dl>
            ${ways.map(([by, does]) => html`<dt>${by}</dt><dd>${does}</dd>`)}
          </dl>
        </section>`,
    )}
      <a class="button" href="/${this.scene}?view=text">${icon("text")}${texts.textView.link}</a>
      <a href="/trust">${texts.trust.title}</a>`;
  }
}

/** The controls of this device first: touch on a phone or tablet, otherwise the keyboard. */
function ways(): readonly (typeof keys)[] {
  return matchMedia("(pointer: coarse)").matches ? [touch, keys, headset] : [keys, touch, headset];
}
