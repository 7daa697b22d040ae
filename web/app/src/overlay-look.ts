import { css } from "lit";

/** Where things lie over the scene: a bar above, a panel at the side, on a phone at the bottom. */
export const overlay = css`
  :host {
    position: absolute;
    inset: 0;
    pointer-events: none;
    display: block;
    padding: env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left);
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  .top {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 0.75rem;
    padding: 0.75rem;
    align-items: start;
  }
  stoa-status {
    grid-column: 1 / -1;
    order: 3;
  }
  nav {
    display: flex;
    gap: 0.6rem;
    align-items: center;
    min-width: 0;
  }
  nav a,
  .tools,
  .panel,
  .pad {
    pointer-events: auto;
  }
  .home {
    padding: 0.3rem;
    flex: none;
  }
  .home img {
    width: 1.75rem;
    height: 1.75rem;
  }
  h1 {
    font-size: 1rem;
    font-weight: 650;
    padding: 0.3rem 0.8rem;
    border-radius: 999px;
    background: var(--panel-glass);
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .tools {
    display: flex;
    justify-content: flex-end;
    gap: 0.4rem;
  }
  .count {
    min-width: 1.4rem;
    padding: 0 0.3rem;
    border-radius: 999px;
    background: var(--accent-soft);
    color: var(--ink);
    font-size: 0.8rem;
    text-align: center;
  }
  .panel {
    position: absolute;
    top: 4.25rem;
    right: 0.75rem;
    width: min(21rem, calc(100% - 1.5rem));
    max-height: calc(100% - 8.5rem);
    overflow: auto;
    overscroll-behavior: contain;
    padding: 1rem;
    border-radius: var(--radius);
    background: var(--panel-glass);
    border: 1px solid var(--line);
    box-shadow: var(--shadow);
  }
  .close {
    position: sticky;
    top: -0.5rem;
    z-index: 1;
    float: right;
    margin: -0.5rem -0.5rem 0 0;
    min-height: 2.5rem;
    padding: 0 0.6rem;
    border-color: transparent;
    background: transparent;
  }
  .toast {
    position: absolute;
    left: 50%;
    bottom: 1.25rem;
    translate: -50% 0;
    max-width: min(32rem, calc(100% - 2rem));
    padding: 0.6rem 1rem;
    border-radius: var(--radius);
    background: var(--danger-soft);
    border: 1px solid var(--line);
    box-shadow: var(--shadow);
    overflow-wrap: anywhere;
  }
  .hint {
    position: absolute;
    left: 50%;
    bottom: 1.25rem;
    translate: -50% 0;
    width: max-content;
    max-width: calc(100% - 10rem);
  }
  .toast:not([hidden]) ~ .hint {
    display: none;
  }
  .pad {
    display: none;
    position: absolute;
    left: 1.25rem;
    bottom: max(1.25rem, env(safe-area-inset-bottom));
  }
  @media (pointer: coarse) {
    .pad {
      display: block;
    }
  }
  @media (max-width: 40rem) {
    .top {
      grid-template-columns: 1fr;
      gap: 0.5rem;
      padding: 0.5rem;
    }
    .tools {
      justify-content: stretch;
    }
    .tools button {
      flex: 1;
      padding-inline: 0.4rem;
    }
    .panel {
      top: auto;
      bottom: 0;
      left: 0;
      right: 0;
      width: 100%;
      max-height: 62%;
      border-radius: var(--radius) var(--radius) 0 0;
      padding-bottom: max(1rem, env(safe-area-inset-bottom));
    }
    .toast {
      bottom: 10rem;
    }
    .hint {
      left: 0.75rem;
      translate: none;
      max-width: calc(100% - 5.5rem);
    }
    .panel:not([hidden]) ~ :is(.pad, .hint) {
      display: none;
    }
  }
  @media (max-width: 40rem) and (pointer: coarse) {
    .hint {
      left: 9.75rem;
      right: 0.75rem;
      width: auto;
      max-width: none;
    }
  }
`;
