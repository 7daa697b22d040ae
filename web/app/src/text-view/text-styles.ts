import { css } from "lit";

/** Layout of the text view: surroundings at the left, events and chat at the right; on a phone one below the other. */
export const textStyles = css`
  :host {
    display: block;
  }
  .page {
    max-width: 72rem;
    margin: 0 auto;
    padding: var(--space-4) var(--space-4) var(--space-7);
    display: grid;
    gap: var(--space-4);
  }
  header {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-3);
    align-items: center;
  }
  header h1 {
    flex: 1 1 12rem;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .home {
    padding: var(--space-1) var(--space-2);
  }
  .home img {
    width: 1.75rem;
    height: 1.75rem;
  }
  .jump {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2) var(--space-4);
  }
  .jump a {
    display: inline-flex;
    align-items: center;
    min-height: var(--target-small);
  }
  .columns {
    display: grid;
    gap: var(--space-4);
    align-items: start;
  }
  @media (min-width: 56rem) {
    .columns {
      grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
    }
  }
  .column {
    display: grid;
    gap: var(--space-4);
    min-width: 0;
  }
  section {
    display: grid;
    gap: var(--space-3);
    padding: var(--space-4);
    background: var(--panel);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    min-width: 0;
  }
  h2:focus {
    outline: none;
  }
  h2:focus-visible {
    outline: 3px solid var(--accent);
  }
  .log {
    display: grid;
    gap: var(--space-1);
    max-height: 14rem;
    overflow: auto;
  }
`;

/** Styles of a list of people, landmarks or objects: name, bearing, and buttons below. */
export const entryStyles = css`
  .list {
    gap: 0;
  }
  li {
    display: grid;
    gap: var(--space-2);
    padding: var(--space-3) 0;
    border-top: 1px solid var(--line);
    overflow-wrap: anywhere;
  }
  li:first-child {
    border-top: 0;
    padding-top: 0;
  }
  li:last-child {
    padding-bottom: 0;
  }
  .what {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--space-3);
    align-items: baseline;
  }
  .what h3 {
    overflow-wrap: anywhere;
  }
  .what > [role="img"] {
    display: inline-flex;
    align-self: center;
  }
  .said {
    white-space: pre-line;
  }
`;
