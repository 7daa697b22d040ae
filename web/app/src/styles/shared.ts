/** Styles shared by all elements: type, buttons, fields. Font sizes and spaces are steps of `theme.css`. */
import { css } from "lit";

/** Styles for every element's shadow root. */
export const sharedStyles = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  :host {
    color: var(--ink);
    font: inherit;
  }
  [hidden] {
    display: none !important;
  }
  h1,
  h2,
  h3,
  p {
    margin: 0;
    text-wrap: balance;
  }
  p {
    text-wrap: pretty;
  }
  h1 {
    font-size: var(--text-xl);
    line-height: 1.2;
  }
  h2 {
    font-size: var(--text-l);
    font-weight: 650;
  }
  h3 {
    font-size: var(--text-m);
    font-weight: 650;
  }
  a {
    color: var(--accent);
  }
  button,
  .button {
    font: inherit;
    min-height: var(--target);
    padding: var(--space-1) var(--space-4);
    border: 1px solid var(--field-line);
    border-radius: var(--radius-s);
    background: var(--panel);
    color: var(--ink);
    cursor: pointer;
    text-decoration: none;
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: var(--space-2);
  }
  @media (hover: hover) {
    button:hover:not(:disabled, .primary, [aria-pressed="true"]),
    .button:hover:not(.primary) {
      background: var(--accent-soft);
    }
    button.primary:hover:not(:disabled),
    .button.primary:hover {
      filter: brightness(1.08);
    }
    button.danger:hover:not(:disabled) {
      background: var(--danger-soft);
    }
  }
  button:disabled {
    opacity: 0.55;
    cursor: default;
  }
  button.primary,
  .button.primary {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--accent-ink);
    font-weight: 600;
  }
  button.danger {
    color: var(--danger);
    border-color: var(--danger);
  }
  button.plain {
    border-color: transparent;
    background: transparent;
    padding-inline: var(--space-2);
  }
  button[aria-pressed="true"] {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--accent-ink);
  }
  .icon {
    flex: none;
    width: 1.25rem;
    height: 1.25rem;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  label {
    display: grid;
    gap: var(--space-1);
    font-size: var(--text-s);
    color: var(--muted);
  }
  label.row {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    min-height: var(--target-small);
    color: var(--ink);
  }
  input,
  select,
  textarea {
    font: inherit;
    font-size: var(--text-m);
    color: var(--ink);
    background: var(--panel);
    border: 1px solid var(--field-line);
    border-radius: var(--radius-s);
    padding: var(--space-2) var(--space-3);
    min-height: var(--target);
    width: 100%;
    min-width: 0;
  }
  input:is([type="checkbox"], [type="radio"]) {
    width: 1.25rem;
    min-height: 1.25rem;
    flex: none;
    accent-color: var(--accent);
  }
  input[type="color"] {
    padding: var(--space-1);
  }
  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
  .qr {
    flex: none;
    border-radius: var(--radius-s);
  }
  .muted {
    color: var(--muted);
  }
  .small {
    font-size: var(--text-s);
  }
  .wrong {
    color: var(--danger);
  }
  /* A message stays visible at any scroll position. */
  .told:not(:empty) {
    position: sticky;
    z-index: 1;
    bottom: var(--below, 0);
    padding-block: var(--space-2);
    border-block-start: 1px solid var(--line);
    background: var(--panel);
  }
  .hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  form {
    display: grid;
    gap: var(--space-4);
  }
  .pair {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: var(--space-2);
    align-items: end;
  }
  .list {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
    gap: var(--space-2);
  }
  .entry {
    display: flex;
    gap: var(--space-2);
    align-items: center;
    justify-content: space-between;
    font-size: var(--text-s);
    overflow-wrap: anywhere;
  }
  .stack {
    display: grid;
    gap: var(--space-3);
  }
  .row-of-buttons {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
  }
`;

/** A panel of sections, one below the other. */
export const sections = css`
  :host {
    display: grid;
    gap: var(--space-4);
  }
  section {
    display: grid;
    gap: var(--space-2);
  }
`;

/** A group of fields with a legend. */
export const fields = css`
  fieldset {
    border: 0;
    margin: 0;
    padding: 0;
    display: grid;
    gap: var(--space-2);
    min-width: 0;
  }
  legend {
    padding: 0;
    margin-block-end: var(--space-2);
    font-weight: 650;
  }
`;

/** Buttons with a small picture above a label. */
export const tiles = css`
  .tiles {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(5.5rem, 1fr));
    gap: var(--space-2);
  }
  .tiles button {
    flex-direction: column;
    gap: var(--space-1);
    padding: var(--space-1);
    line-height: 1.2;
    min-width: 0;
  }
`;

/** A page that covers the scene, such as the name form or a refusal. */
export const cover = css`
  :host {
    position: absolute;
    inset: 0;
    overflow: auto;
    background: var(--ground);
  }
`;

/** A page with one column of text, such as the list of scenes. */
export const column = css`
  :host {
    display: block;
  }
  main {
    max-width: 44rem;
    margin: 0 auto;
    padding: clamp(var(--space-5), 5vw, var(--space-7)) var(--space-5) var(--space-7);
    display: grid;
    gap: var(--space-5);
  }
  h1 {
    font-size: var(--text-xxl);
  }
  header {
    display: flex;
    align-items: center;
    gap: var(--space-3);
  }
  header a {
    display: inline-flex;
    align-items: center;
    gap: var(--space-3);
    color: inherit;
    text-decoration: none;
    font-size: var(--text-xl);
    font-weight: 700;
  }
  header img {
    width: 2.25rem;
    height: 2.25rem;
  }
  .card {
    background: var(--panel);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    padding: var(--space-5);
    display: grid;
    gap: var(--space-4);
  }
  .card h1 {
    font-size: var(--text-xl);
  }
`;
