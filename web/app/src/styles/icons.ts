/**
 * The pages' icons: strokes of two units in a square of 24, with round ends and joins, in the colour of the adjacent
 * text.
 */
import { html, type TemplateResult } from "lit";

const PATHS = {
  back: "M15 5l-7 7 7 7",
  chat: "M4 5h16v11H10l-5 4v-4H4z",
  check: "M5 12.5l4.5 4.5L19 7.5",
  close: "M6 6l12 12M18 6L6 18",
  download: "M12 4v11m0 0l-4.5-4.5M12 15l4.5-4.5M5 20h14",
  edit: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z",
  hand: "M7 12.5V7a1.5 1.5 0 0 1 3 0v4M10 11V5a1.5 1.5 0 0 1 3 0v6M13 11V6a1.5 1.5 0 0 1 3 0v6m0-3a1.5 1.5 0 0 1 3 0v5c0 4-2.5 7-6.5 7-3 0-4.6-1.4-6-4l-2.3-4.2a1.5 1.5 0 0 1 2.6-1.5L7 13.5",
  help: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.7 2.2c-.8.4-1.2 1-1.2 1.8M12 16.8v.2",
  history: "M4 5v4h4M4.3 9A8 8 0 1 1 4 13.5M12 8v4.5l3 2",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  microphone: "M12 3.5a3 3 0 0 1 3 3V12a3 3 0 0 1-6 0V6.5a3 3 0 0 1 3-3zM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3",
  muted:
    "M9 9.5V12a3 3 0 0 0 4.6 2.5M15 11V6.5a3 3 0 0 0-5.8-1M5.5 11.5a6.5 6.5 0 0 0 10.6 5M18.4 12.4l.1-.9M12 18v3M4 4l16 16",
  more: "M4.5 12a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M11.5 12a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0M18.5 12a.5.5 0 1 0 1 0a.5.5 0 1 0-1 0",
  offline: "M4 4l16 16M5 12.5a10 10 0 0 1 4-2.4M19 12.5a10 10 0 0 0-5-2.7M8.5 16a5 5 0 0 1 7 0M12 19.5v.01",
  people:
    "M9 4.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM2.5 20c.5-3.6 3-5.5 6.5-5.5s6 1.9 6.5 5.5M16 5a3.2 3.2 0 0 1 0 6.2M18 14.8c2 .8 3.2 2.6 3.5 5.2",
  places: "M12 21s-6.5-6-6.5-11a6.5 6.5 0 0 1 13 0c0 5-6.5 11-6.5 11zM12 7.7a2.3 2.3 0 1 1 0 4.6 2.3 2.3 0 0 1 0-4.6z",
  pointer: "M4 20L14 10M16.5 3.5v3M20.5 7.5h-3M19.5 4.5l-2 2M14.5 9.5l1-1",
  reactions: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM8.5 14.5c1.8 2.3 5.2 2.3 7 0M9 9.5v.01M15 9.5v.01",
  redo: "M16 5l4 4-4 4M20 9h-9a6 6 0 0 0 0 12h3",
  settings:
    "M4 7h9m4 0h3M4 17h3m4 0h9M15 4.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4zM9 14.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4z",
  speaking: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11",
  share: "M12 15V4m0 0L8 8m4-4l4 4M6 12H5v8h14v-8h-1",
  undo: "M8 5L4 9l4 4M4 9h9a6 6 0 0 1 0 12h-3",
  text: "M4 6h16M4 10.5h16M4 15h16M4 19.5h9",
} as const;

export type IconName = keyof typeof PATHS;

/** An icon next to a label; hidden from screen readers. */
export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;
}
