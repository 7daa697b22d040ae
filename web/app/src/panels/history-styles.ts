import { css } from "lit";

/** Styles of the list of changes. */
export const historyStyles = css`
  :host {
    display: grid;
    gap: var(--space-3);
  }
  .small {
    font-size: var(--text-s);
  }
  .filters {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr));
    gap: var(--space-2);
  }
  .moment {
    gap: var(--space-2);
  }
  .wide {
    width: 100%;
  }
  p:empty {
    display: none;
  }
  .list {
    gap: 0;
  }
  .stretches {
    gap: var(--space-4);
  }
  .head,
  ul li {
    display: flex;
    justify-content: space-between;
    align-items: center;
    gap: var(--space-2);
  }
  ul li {
    padding: var(--space-1) 0 var(--space-1) var(--space-3);
    border-left: 2px solid var(--line);
  }
  h3 {
    font-size: var(--text-m);
    font-weight: 650;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  h3 time {
    display: block;
    font-size: var(--text-xs);
    font-weight: 400;
  }
  li span {
    font-size: var(--text-s);
    min-width: 0;
    overflow-wrap: anywhere;
  }
  button.small {
    flex: none;
    min-height: var(--target-small);
    padding: 0 var(--space-2);
  }
  .wish {
    display: grid;
    gap: var(--space-2);
    padding: var(--space-3);
    border: 1px solid var(--line);
    border-radius: var(--radius-s);
    background: var(--warn-soft);
  }
`;
