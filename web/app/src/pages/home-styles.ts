import { css } from "lit";

/** Styles of the list of scenes: cards with pictures, as many a row as fit. */
export const homeStyles = css`
  main {
    max-width: 60rem;
  }
  .scenes {
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
    gap: var(--space-4);
  }
  .scene {
    display: grid;
    grid-template-rows: auto 1fr auto auto;
    overflow: hidden;
    background: var(--panel);
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .picture {
    display: block;
    width: 100%;
    aspect-ratio: 16 / 9;
    object-fit: cover;
    background: var(--accent-soft);
  }
  svg.picture {
    color: var(--accent);
  }
  .about {
    padding: var(--space-3) var(--space-4);
    display: grid;
    gap: var(--space-1);
    align-content: start;
  }
  .name {
    font-weight: 650;
    overflow-wrap: anywhere;
  }
  .deeds {
    padding: 0 var(--space-4) var(--space-4);
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
  }
  .deeds .primary {
    flex: 1;
  }
  section[aria-labelledby="scenes"],
  .intro {
    display: grid;
    gap: var(--space-3);
  }
  /* An expanded card doesn't stretch its neighbours. */
  .scenes:has(details[open]) {
    align-items: start;
  }
  .whole {
    border-top: 1px solid var(--line);
    padding: var(--space-3) var(--space-4);
  }
  summary {
    cursor: pointer;
    font-weight: 600;
  }
  details[open] summary {
    margin-bottom: var(--space-3);
  }
`;
