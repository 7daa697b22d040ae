/** Styles of the editor's frame. */
import { css } from "lit";

export const editStyles = css`
  :host {
    display: grid;
    gap: var(--space-3);
  }
  [hidden] {
    display: none !important;
  }
  .tabs {
    display: flex;
    border-bottom: 1px solid var(--line);
  }
  .tabs button {
    flex: 1;
    padding: var(--space-1) var(--space-1);
    border: 0;
    border-bottom: 3px solid transparent;
    border-radius: 0;
    background: transparent;
  }
  .tabs button[aria-selected="true"] {
    border-bottom-color: var(--accent);
    font-weight: 650;
  }
  .tools {
    display: grid;
    gap: var(--space-2);
  }
  .row {
    display: grid;
    grid-auto-flow: column;
    grid-auto-columns: 1fr;
    gap: var(--space-2);
  }
  .row button {
    padding-inline: var(--space-1);
    min-height: 2.25rem;
    font-size: var(--text-s);
  }
  .more[open] {
    display: grid;
    gap: var(--space-2);
  }
  .more .row {
    margin-top: var(--space-2);
  }
  summary {
    cursor: pointer;
    font-size: var(--text-s);
    color: var(--muted);
  }
  .keys h3 {
    font-size: var(--text-m);
    font-weight: 650;
  }
  dl {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: var(--space-1) var(--space-3);
    margin: var(--space-2) 0 0;
    font-size: var(--text-s);
  }
  dd {
    margin: 0;
  }
  kbd {
    font: inherit;
    font-weight: 600;
  }
  .told:empty {
    display: none;
  }
`;
