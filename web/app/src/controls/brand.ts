import { html, type TemplateResult } from "lit";
import { texts } from "../texts/texts.ts";

/** The logo and name as a link to the home page. */
export function brand(): TemplateResult {
  return html`<a href="/"><img src="/favicon.svg" alt="" />${texts.shared.product}</a>`;
}
