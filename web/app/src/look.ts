/** What all panels share: type, buttons, fields. */
import { css } from "lit";

/** Styles for every element's shadow root. */
export const look = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  :host {
    color: var(--ink);
    font: inherit;
  }
  h1,
  h2,
  h3,
  p {
    margin: 0;
  }
  h2 {
    font-size: 1.05rem;
    font-weight: 650;
  }
  a {
    color: var(--accent);
  }
  button,
  .button {
    font: inherit;
    min-height: 2.5rem;
    padding: 0.35rem 0.9rem;
    border: 1px solid var(--field-line);
    border-radius: 8px;
    background: var(--panel);
    color: var(--ink);
    cursor: pointer;
    text-decoration: none;
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.4rem;
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
  button[aria-pressed="true"] {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--accent-ink);
  }
  label {
    display: grid;
    gap: 0.25rem;
    font-size: 0.875rem;
    color: var(--muted);
  }
  label.row {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    color: var(--ink);
  }
  input,
  select,
  textarea {
    font: inherit;
    font-size: 1rem;
    color: var(--ink);
    background: var(--panel);
    border: 1px solid var(--field-line);
    border-radius: 8px;
    padding: 0.4rem 0.6rem;
    min-height: 2.5rem;
    width: 100%;
    min-width: 0;
  }
  input[type="checkbox"] {
    width: 1.15rem;
    min-height: 1.15rem;
    accent-color: var(--accent);
  }
  input[type="color"] {
    padding: 0.15rem;
  }
  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
  .muted {
    color: var(--muted);
  }
  .wrong {
    color: var(--danger);
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
    gap: 0.9rem;
  }
`;

/** A page that is a column of text, such as the list of scenes. */
export const column = css`
  :host {
    display: block;
  }
  main {
    max-width: 44rem;
    margin: 0 auto;
    padding: clamp(1.25rem, 5vw, 3.5rem) 1.25rem 4rem;
    display: grid;
    gap: 1.75rem;
  }
  header {
    display: flex;
    align-items: center;
    gap: 0.75rem;
  }
  header a {
    display: inline-flex;
    align-items: center;
    gap: 0.6rem;
    color: inherit;
    text-decoration: none;
    font-size: 1.35rem;
    font-weight: 700;
    letter-spacing: 0.01em;
  }
  header img {
    width: 2.25rem;
    height: 2.25rem;
  }
  .card {
    background: var(--panel);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    padding: 1.25rem;
    display: grid;
    gap: 0.9rem;
  }
`;
