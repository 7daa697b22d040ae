import { html, type TemplateResult } from "lit";

/** The mark and the name, leading home. */
export function brand(): TemplateResult {
  return html`<a href="/"><img src="/favicon.svg" alt="" />Stoa</a>`;
}
