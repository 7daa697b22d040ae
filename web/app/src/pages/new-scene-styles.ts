import { css, type SVGTemplateResult, svg } from "lit";
import type { TemplateId } from "../templates/template-ids.ts";

/** Styles of the template selection: cards with a floor plan of each template. */
export const newSceneStyles = css`
  :host {
    display: block;
  }
  fieldset {
    border: 0;
    margin: 0;
    padding: 0;
    min-width: 0;
  }
  legend {
    padding: 0;
    margin-bottom: var(--space-2);
    font-size: var(--text-s);
    color: var(--muted);
  }
  .begin {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 8.5rem), 1fr));
    gap: var(--space-2);
  }
  label.choice {
    position: relative;
    display: grid;
    align-content: start;
    gap: var(--space-1);
    padding: var(--space-2);
    border: 1px solid var(--field-line);
    border-radius: var(--radius-s);
    cursor: pointer;
    color: var(--ink);
  }
  .choice:has(input:checked) {
    border-color: var(--accent);
    box-shadow: inset 0 0 0 1px var(--accent);
    background: var(--accent-soft);
  }
  .choice:has(input:focus-visible) {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
  .choice input {
    position: absolute;
    inset: 0;
    width: 100%;
    opacity: 0;
    min-height: 0;
    cursor: pointer;
  }
  .choice svg {
    width: 100%;
    height: 4.5rem;
    color: var(--accent);
  }
  .choice strong {
    font-size: var(--text-m);
    font-weight: 650;
  }
`;

const TAU = 2 * Math.PI;

function drawn(inside: SVGTemplateResult | readonly SVGTemplateResult[]): SVGTemplateResult {
  return svg`<svg viewBox="0 0 96 64" aria-hidden="true"><g fill="none" stroke="currentColor" stroke-width="1.5"
    stroke-linecap="round" stroke-linejoin="round">${inside}</g></svg>`;
}

const dot = (x: number, y: number, r = 2.4): SVGTemplateResult =>
  svg`<circle cx=${x} cy=${y} r=${r} fill="currentColor" stroke="none" />`;

/** Floor plans, seen from above. */
export const plans: { readonly [Id in TemplateId | "file"]: SVGTemplateResult } = {
  empty: drawn(svg`<ellipse cx="48" cy="34" rx="34" ry="20" /><path d="M48 30v8M44 34h8" />`),
  meeting: drawn([
    svg`<circle cx="48" cy="32" r="27" stroke-dasharray="2 5" /><circle cx="48" cy="32" r="10" />`,
    ...Array.from({ length: 12 }, (_, at) =>
      dot(48 + 17 * Math.sin((at / 12) * TAU), 32 + 17 * Math.cos((at / 12) * TAU)),
    ),
  ]),
  classroom: drawn([
    svg`<path d="M12 60V6h72M30 11h36M16 18h12v5H16z" stroke-width="1.5" /><path d="M30 9h36" stroke-width="3" />`,
    ...[34, 44, 54].flatMap((y) => [22, 30, 38, 58, 66, 74].map((x) => dot(x, y, 2.2))),
  ]),
  gallery:
    drawn(svg`<path d="M38 60H10V6h76v54H58M36 30h24" /><path d="M22 9h12M42 9h12M62 9h12M13 20v10M13 40v10M83 20v10M83 40v10"
    stroke-width="3" />`),
  file: drawn(svg`<path d="M32 6h22l12 12v40H32zM54 6v12h12M49 26v18M42 37l7 7 7-7" />`),
};
