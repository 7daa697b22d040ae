/** Lets the user enter text in VR and AR: a panel with lines and an input field, above a virtual keyboard. */
import type { Entity, Three } from "../aframe.ts";
import { type KeyboardKey, type KeyboardLayout, type KeyboardState, keysOf, pressed, unwritten } from "./keyboard.ts";
import { OWN_LOOK, OwnPanel, type RigSpacePose } from "./own-panel.ts";

/** A request for text. */
export interface WritingRequest {
  readonly title: string;
  /** Lines above the field: previous messages, or the question. */
  readonly lines: readonly string[];
  /** Initial text. */
  readonly text?: string;
  /** Whether the keyboard starts with digits and symbols. */
  readonly isNumber?: boolean;
  /** Character limit. */
  readonly lengthMax: number;
  /** Receives each non-empty text sent. Entry continues until it is closed. */
  readonly onSend: (text: string) => void;
  readonly onClose?: () => void;
}

/** Controls of an open text entry. */
export interface OpenWriting {
  /** Replaces the lines above the field. */
  setLines(lines: readonly string[]): void;
  close(): void;
}

export interface TextEntryOptions {
  readonly rig: Entity;
  readonly words: KeyboardLayout;
  /** A pose in front of the eyes, lower by `belowM`. A negative `leanRad` tilts the panel's top away from the user. */
  readonly placeAhead: (belowM: number, leanRad: number) => RigSpacePose | null;
  /** The set of raycast targets has changed. */
  readonly onTargets: () => void;
}

const SCALE = 0.4;
const PAGE_BELOW_M = 0.02;
const KEYS_BELOW_M = 0.42;
const KEYS_LEAN_RAD = -0.5;

/** The keyboard and its panel; one request at a time. */
export class TextEntryController {
  readonly #options: TextEntryOptions;
  readonly #page: OwnPanel;
  readonly #board: OwnPanel;
  #request: WritingRequest | null = null;
  #lines: readonly string[] = [];
  #written: KeyboardState = unwritten("");
  #keys: readonly KeyboardKey[] = [];

  constructor(options: TextEntryOptions) {
    this.#options = options;
    this.#page = new OwnPanel(options.rig, SCALE, () => undefined);
    this.#board = new OwnPanel(options.rig, SCALE, (index) => this.#press(index));
  }

  /** The raycast targets. */
  get targets(): readonly Three.Object3D[] {
    return [this.#page.target, this.#board.target].filter((target) => target !== null);
  }

  owns(el: Entity | null): boolean {
    return this.#page.is(el) || this.#board.is(el);
  }

  /** Opens a request, closing the current one. */
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
