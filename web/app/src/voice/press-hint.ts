/** The hint while the browser plays no sound before a press or key. */
import { css, html, nothing, type TemplateResult } from "lit";
import { texts } from "../texts/texts.ts";
import type { SceneVoice } from "./scene-voice.ts";

/** Style of the hint: one line, centred. */
export const pressHintStyles = css`
  .press {
    justify-self: center;
    max-width: 100%;
    padding: var(--space-2) var(--space-4);
    border-radius: var(--radius-full);
    background: var(--warn-soft);
    border: 1px solid var(--line);
  }
  .press:empty {
    display: none;
  }
`;

/** The hint, empty unless voices wait for a press. It stays in the page, so that screen readers announce it. */
export function pressHint(voice: SceneVoice | undefined): TemplateResult {
  return html`<p class="press" role="status">${voice?.needsGesture === true ? texts.voice.press : nothing}</p>`;
}
