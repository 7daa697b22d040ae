import { html, type TemplateResult } from "lit";
import { texts } from "../texts/texts.ts";

/** The mark and the name, leading home. */
export function brand(): TemplateResult {
  return html`<a href="/"><img src="/favicon.svg" alt="" />${texts.shared.product}</a>`;
}
