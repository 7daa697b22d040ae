import { css } from "lit";

/**
 * Layout over the scene: a bar at the top and a panel at the side. On a phone the toolbar and the panel are at the
 * bottom, in reach of thumbs.
 */
export const overlayStyles = css`
  :host {
    position: absolute;
    inset: 0;
    pointer-events: none;
    display: block;
    padding: env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left);
  }
  :host([hidden]) {
    display: none !important;
  }
  .top {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: var(--space-3);
    padding: var(--space-3);
    align-items: start;
  }
  stoa-status,
  .press {
    grid-column: 1 / -1;
    order: 3;
  }
  nav {
    display: flex;
    gap: var(--space-2);
    align-items: center;
    min-width: 0;
  }
  nav a,
  .tools,
  .panel,
  .pad {
    pointer-events: auto;
  }
  /* Visible only while it has the keyboard focus. */
  .skip:not(:focus-visible) {
    position: absolute;
    width: 1px;
    height: 1px;
    min-height: 0;
    padding: 0;
    overflow: hidden;
    clip-path: inset(50%);
  }
  .home {
    padding: var(--space-1) var(--space-2);
    flex: none;
  }
  .home img {
    width: 1.75rem;
    height: 1.75rem;
  }
  h1 {
    font-size: var(--text-m);
    font-weight: 650;
    padding: var(--space-1) var(--space-3);
    border-radius: var(--radius-full);
    background: var(--panel-glass);
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .tools {
    display: flex;
    justify-content: flex-end;
    gap: var(--space-1);
    padding: var(--space-1);
    border-radius: var(--radius);
    background: var(--panel-glass);
    border: 1px solid var(--line);
    box-shadow: var(--shadow);
  }
  .tool {
    position: relative;
    flex-direction: column;
    gap: 0;
    min-width: 4.25rem;
    min-height: 3.25rem;
    padding: var(--space-1);
    border-color: transparent;
    background: transparent;
  }
  .label {
    font-size: var(--text-xs);
    line-height: 1.3;
    white-space: nowrap;
  }
  .count {
    position: absolute;
    top: 0.2rem;
    left: calc(50% + var(--space-2));
    min-width: 1.15rem;
    padding: 0 var(--space-1);
    border-radius: var(--radius-full);
    background: var(--accent-soft);
    color: var(--ink);
    font-size: var(--text-xs);
    line-height: 1.15rem;
    text-align: center;
  }
  .more {
    position: relative;
    display: flex;
  }
  .menu {
    position: absolute;
    z-index: 2;
    top: calc(100% + var(--space-2));
    right: 0;
    display: grid;
    min-width: 11rem;
    max-height: 70dvh;
    overflow: auto;
    padding: var(--space-1);
    border-radius: var(--radius);
    background: var(--panel);
    border: 1px solid var(--line);
    box-shadow: var(--shadow);
  }
  .menu .tool {
    flex-direction: row;
    justify-content: flex-start;
    gap: var(--space-3);
    min-height: var(--target);
    padding-inline: var(--space-3);
  }
  .menu .label {
    font-size: var(--text-m);
  }
  .menu .count {
    position: static;
    margin-left: auto;
  }
  .panel {
    position: absolute;
    top: 5.25rem;
    right: var(--space-3);
    width: min(22rem, calc(100% - 1.5rem));
    max-height: calc(100% - 9.5rem);
    overflow: auto;
    overscroll-behavior: contain;
    padding: 0 var(--space-4) var(--space-4);
    border-radius: var(--radius);
    background: var(--panel);
    border: 1px solid var(--line);
    box-shadow: var(--shadow);
    /* Keeps the sticky head above the panel's contents but below the menu beside it. */
    isolation: isolate;
    /* Messages (.told in shared.ts) use this to stick to the panel's edge. */
    --below: calc(-1 * var(--space-4));
    /* Keeps a scroll target clear of the sticky head and of a message. */
    scroll-padding-bottom: calc(2 * var(--target));
    scroll-padding-top: calc(var(--target) + var(--space-3));
  }
  /* Opaque, so that scrolled contents don't shine through. */
  .head {
    position: sticky;
    top: 0;
    z-index: 2;
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: var(--space-2);
    margin-inline: calc(-1 * var(--space-4));
    padding: var(--space-1) var(--space-2) var(--space-1) var(--space-4);
    background: var(--panel);
  }
  .toast {
    position: absolute;
    left: 50%;
    bottom: var(--space-5);
    translate: -50% 0;
    width: max-content;
    max-width: min(32rem, calc(100% - 2rem));
    padding: var(--space-2) var(--space-4);
    border-radius: var(--radius);
    background: var(--danger-soft);
    border: 1px solid var(--line);
    box-shadow: var(--shadow);
    overflow-wrap: anywhere;
  }
  .hint {
    position: absolute;
    left: 50%;
    bottom: var(--space-5);
    translate: -50% 0;
    width: max-content;
    max-width: calc(100% - 10rem);
  }
  .toast:not([hidden]) ~ .hint {
    display: none;
  }
  /* The hint is beside an open panel, not covered by it. */
  .panel:not([hidden]) ~ .hint {
    left: calc((100% - 23.5rem) / 2);
    max-width: calc(100% - 26rem);
  }
  .pad {
    display: none;
    position: absolute;
    left: var(--space-5);
    bottom: max(var(--space-5), env(safe-area-inset-bottom));
  }
  @media (pointer: coarse) {
    .pad {
      display: block;
    }
  }
  @media (max-width: 40rem) {
    .top {
      grid-template-columns: 1fr;
      gap: var(--space-2);
      padding: var(--space-2);
    }
    .tools {
      position: absolute;
      z-index: 1;
      left: 0;
      right: 0;
      bottom: 0;
      justify-content: stretch;
      height: calc(var(--bar) + env(safe-area-inset-bottom));
      padding-bottom: calc(var(--space-1) + env(safe-area-inset-bottom));
      border-width: 1px 0 0;
      border-radius: 0;
      box-shadow: none;
    }
    .tools > .tool,
    .more {
      flex: 1 1 0;
      min-width: 0;
    }
    .more > .tool {
      flex: 1;
      min-width: 0;
    }
    .menu {
      top: auto;
      bottom: calc(100% + var(--space-2));
    }
    .panel {
      top: auto;
      bottom: calc(var(--bar) + env(safe-area-inset-bottom));
      left: 0;
      right: 0;
      width: 100%;
      max-height: min(62%, calc(100% - var(--bar) - 4rem));
      border-width: 1px 0 0;
      border-radius: var(--radius) var(--radius) 0 0;
    }
    /* The scene stays visible above the editor: see theme.css. */
    :host([editing]) .panel {
      height: var(--editor);
      max-height: none;
    }
    .toast {
      bottom: calc(var(--bar) + 9rem);
    }
    .pad {
      left: var(--space-4);
      bottom: calc(var(--bar) + var(--space-4) + env(safe-area-inset-bottom));
    }
    .hint {
      left: var(--space-3);
      bottom: calc(var(--bar) + var(--space-4) + env(safe-area-inset-bottom));
      translate: none;
      max-width: calc(100% - 1.5rem);
    }
    .panel:not([hidden]) ~ :is(.pad, .hint) {
      display: none;
    }
  }
  /* In a low viewport, such as an enlarged window (WCAG 1.4.10), all of a panel scrolls. */
  @media (max-height: 24rem) {
    .panel {
      max-height: calc(100% - 5.75rem);
    }
    .head {
      position: static;
    }
  }
  @media (max-width: 40rem) and (max-height: 24rem) {
    .panel {
      max-height: calc(100% - var(--bar) - var(--space-2));
    }
  }
  @media (max-width: 40rem) and (pointer: coarse) {
    .hint {
      left: 9.5rem;
      right: var(--space-3);
      width: auto;
      max-width: none;
    }
  }
`;
