/** Writing in VR and AR: a page that shows what was said and what one writes, above a keyboard. */
import type { Entity, Three } from "../aframe.ts";
import { type Key, type KeyboardWords, keysOf, pressed, unwritten, type Written } from "./keyboard.ts";
import { OWN_LOOK, OwnPanel, type PanelPose } from "./own-panel.ts";

/** What is to be written. */
export interface WritingRequest {
  readonly title: string;
  /** What stands above it: said before, or asked. */
  readonly lines: readonly string[];
  /** What is written already. */
  readonly text?: string;
  /** Whether it begins with numbers and signs. */
  readonly isNumber?: boolean;
  /** Characters, at most. */
  readonly lengthMax: number;
  /** Given what was written, if anything was; one goes on writing until it is closed. */
  readonly onSend: (text: string) => void;
  readonly onClose?: () => void;
}

/** What the page can do with what is written. */
export interface OpenWriting {
  /** Other lines stand above it from now on. */
  setLines(lines: readonly string[]): void;
  close(): void;
}

/** What it stands on. */
export interface WritingOptions {
  readonly rig: Entity;
  readonly words: KeyboardWords;
  /** Before one's eyes, so far below them, leant back. */
  readonly placeAhead: (belowM: number, leanRad: number) => PanelPose | null;
  /** Other things can be pressed than before. */
  readonly onTargets: () => void;
}

const SCALE = 0.4;
const PAGE_BELOW_M = 0.02;
const KEYS_BELOW_M = 0.42;
const KEYS_LEAN_RAD = -0.5;

/** The keyboard and its page; one at a time. */
export class TextEntry {
  readonly #options: WritingOptions;
  readonly #page: OwnPanel;
  readonly #board: OwnPanel;
  #request: WritingRequest | null = null;
  #lines: readonly string[] = [];
  #written: Written = unwritten("");
  #keys: readonly Key[] = [];

  constructor(options: WritingOptions) {
    this.#options = options;
    this.#page = new OwnPanel(options.rig, SCALE, () => undefined);
    this.#board = new OwnPanel(options.rig, SCALE, (index) => this.#press(index));
  }

  /** What a ray meets. */
  get targets(): readonly Three.Object3D[] {
    return [this.#page.target, this.#board.target].filter((target) => target !== null);
  }

  owns(el: Entity | null): boolean {
    return this.#page.is(el) || this.#board.is(el);
  }

  /** What was being written is closed by it. */
  open(request: WritingRequest): OpenWriting {
    this.close();
    this.#request = request;
    this.#lines = request.lines;
    this.#written = unwritten(request.text ?? "", request.isNumber);
    this.#drawPage();
    this.#drawKeys();
    const page = this.#options.placeAhead(PAGE_BELOW_M, 0);
    const board = this.#options.placeAhead(KEYS_BELOW_M, KEYS_LEAN_RAD);
    if (page && board) {
      this.#page.place(page);
      this.#board.place(board);
    }
    this.#options.onTargets();
    return {
      setLines: (lines) => {
        if (this.#request !== request) return;
        this.#lines = lines;
        this.#drawPage();
      },
      close: () => this.#request === request && this.close(),
    };
  }

  close(): void {
    const request = this.#request;
    if (request === null) return;
    this.#request = null;
    this.#page.hide();
    this.#board.hide();
    this.#options.onTargets();
    request.onClose?.();
  }

  #press(index: number): void {
    const [key, request] = [this.#keys[index], this.#request];
    if (key === undefined || request === null) return;
    if (key.press.kind === "close") {
      this.close();
      return;
    }
    const { layer } = this.#written;
    const text = this.#written.text.trim();
    if (key.press.kind === "send") {
      if (text === "") return;
      this.#written = unwritten("", request.isNumber);
      request.onSend(text);
      if (this.#request !== request) return;
    } else this.#written = pressed(this.#written, key.press, request.lengthMax);
    this.#drawPage();
    if (this.#written.layer !== layer) this.#drawKeys();
  }

  #drawPage(): void {
    const { title } = this.#request ?? { title: "" };
    this.#page.show({ ...OWN_LOOK, kind: "page", title, lines: this.#lines, written: this.#written.text });
  }

  #drawKeys(): void {
    const rows = keysOf(this.#written.layer, this.#options.words);
    this.#keys = rows.flat();
    this.#board.show({ ...OWN_LOOK, kind: "keys", rows });
  }
}
