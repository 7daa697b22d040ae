/** Draws the buttons that open panels. Buttons that don't fit are in an overflow menu. */
import type { SceneSession } from "@stoa/client";
import { html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from "lit";
import { NARROW_REM, TOOL_REM, TOOLBAR_BESIDE_REM } from "../limits.ts";
import { icon } from "../styles/icons.ts";
import { number, texts } from "../texts/texts.ts";
import type { SceneVoice } from "../voice/scene-voice.ts";
import { talkButton } from "../voice/talk-button.ts";
import type { PanelDeclaration, PanelId } from "./panels.ts";

/** The toolbar's inputs and callbacks. */
export interface ToolbarInputs {
  readonly session: SceneSession;
  readonly voice: SceneVoice | undefined;
  readonly panels: readonly PanelDeclaration[];
  readonly open: PanelId | null;
  /** Number of buttons that fit. */
  readonly slots: number;
  readonly menu: boolean;
  readonly news: ReadonlyMap<PanelId, number>;
  readonly toggle: (panel: PanelId) => void;
  readonly toggleMenu: () => void;
}

/** The number of buttons that fit, at least two: beside the scene's name, or on a phone below the scene. */
export function slotsIn(widthPx: number, remPx: number): number {
  const width = widthPx / remPx;
  return Math.max(2, Math.floor((width <= NARROW_REM ? width : width - TOOLBAR_BESIDE_REM) / TOOL_REM));
}

/** Splits panels into buttons and entries of the overflow menu. */
export function arranged<Of>(panels: readonly Of[], slots: number): { shown: readonly Of[]; more: readonly Of[] } {
  if (panels.length <= slots) return { shown: panels, more: [] };
  return { shown: panels.slice(0, slots - 1), more: panels.slice(slots - 1) };
}

export function toolbar(bar: ToolbarInputs): TemplateResult {
  const talks = bar.voice?.rights?.speak === true;
  const { shown, more } = arranged(bar.panels, talks ? bar.slots - 1 : bar.slots);
  const inside = more.some(({ id }) => id === bar.open);
  return html`<div class="tools" role="toolbar" aria-label=${texts.overlay.toolbar} @keydown=${moveFocus}>
    ${talkButton(bar.voice)}
    ${shown.map((panel) => tool(bar, panel))}
    ${
      more.length === 0
        ? nothing
        : html`<div class="more">
            <button
              type="button"
              class="tool"
              data-more
              aria-pressed=${inside}
              aria-expanded=${bar.menu}
              aria-controls="more"
              @click=${bar.toggleMenu}
            >
              ${icon("more")}<span class="label">${texts.overlay.more}</span>${count(sum(more.map(({ id }) => bar.news.get(id) ?? 0)))}
            </button>
            <div id="more" class="menu" role="group" aria-label=${texts.overlay.more} ?hidden=${!bar.menu}>
              ${more.map((panel) => tool(bar, panel))}
            </div>
          </div>`
    }
  </div>`;
}

function tool(bar: ToolbarInputs, { id, icon: name, key, count: counted }: PanelDeclaration): TemplateResult {
  return html`<button
    type="button"
    class="tool"
    data-panel=${id}
    aria-pressed=${bar.open === id}
    aria-controls="panel"
    aria-keyshortcuts=${key?.toUpperCase() ?? nothing}
    @click=${() => bar.toggle(id)}
  >
    ${icon(name)}<span class="label">${texts.overlay.panels[id]}</span>${count(counted?.(bar.session) ?? bar.news.get(id) ?? 0)}
  </button>`;
}

function count(of: number): TemplateResult | typeof nothing {
  return of === 0 ? nothing : html` <span class="count">${number(of)}</span>`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Moves the focus between buttons by arrow keys. The event is stopped, so that it doesn't move the user. */
function moveFocus(event: KeyboardEvent): void {
  const bar = event.currentTarget;
  const step = STEPS[event.key];
  if (step === undefined || !(bar instanceof HTMLElement)) return;
  event.preventDefault();
  event.stopPropagation();
  const buttons = [...bar.querySelectorAll<HTMLElement>("button")].filter(
    (button) => button.closest("[hidden]") === null,
  );
  const at = event.target instanceof HTMLElement ? buttons.indexOf(event.target) : -1;
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
}

/** Recomputes the number of buttons that fit when the host's size changes. */
export class ToolbarCapacityController implements ReactiveController {
  slots: number;
  readonly #host: ReactiveControllerHost & HTMLElement;
  #observer: ResizeObserver | undefined;

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    this.slots = Number.POSITIVE_INFINITY;
    host.addController(this);
  }

  hostConnected(): void {
    this.#observer = new ResizeObserver(() => this.#measure());
    this.#observer.observe(this.#host);
    this.#measure();
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
  }

  #measure(): void {
    const width = this.#host.clientWidth;
    // A hidden element has no layout.
    if (width === 0) return;
    const slots = slotsIn(width, Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16);
    if (slots === this.slots) return;
    this.slots = slots;
    this.#host.requestUpdate();
  }
}
