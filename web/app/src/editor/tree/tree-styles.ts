/** Styles of `stoa-tree`. */
import { css } from "lit";

export const treeStyles = css`
  :host {
    display: grid;
    gap: var(--space-2);
  }
  .list {
    gap: 0;
  }
  li {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    min-height: 2rem;
    padding: 0 var(--space-2) 0 calc((var(--level) - 1) * var(--space-4));
    border-radius: var(--radius-s);
    cursor: pointer;
    overflow-wrap: anywhere;
  }
  li:focus-visible {
    outline-offset: -2px;
  }
  @media (hover: hover) {
    li:hover {
      background: var(--accent-soft);
    }
  }
  li[aria-selected="true"] {
    background: var(--accent);
    color: var(--accent-ink);
  }
  li[aria-selected="true"] .kind,
  li[aria-selected="true"] .holder {
    color: inherit;
  }
  li.over,
  .root.over {
    outline: 2px dashed var(--accent);
    outline-offset: -2px;
  }
  .toggle {
    width: 1.5rem;
    flex: none;
    text-align: center;
    color: inherit;
  }
  .name {
    flex: 1;
    min-width: 0;
  }
  .kind {
    font-size: var(--text-xs);
    color: var(--muted);
    flex: none;
  }
  .holder {
    font-size: var(--text-xs);
    padding: 0 var(--space-2);
    border-left: 4px solid var(--person);
  }
  .mark {
    flex: none;
    font-size: var(--text-xs);
  }
  .root {
    border: 1px dashed var(--line);
    border-radius: var(--radius-s);
    padding: var(--space-2);
    text-align: center;
    color: var(--muted);
  }
`;
