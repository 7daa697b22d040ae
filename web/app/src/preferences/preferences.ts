/** What this browser remembers: the name one goes by, and the looks of the pages. */
import type { Comfort } from "@stoa/aframe/comfort";
import { colorOf } from "@stoa/client";
import { DISPLAY_NAME_BYTES_MAX, NAME_LENGTH_MAX } from "../limits.ts";
import { type AvatarAppearance, looksOf } from "./avatar-appearance.ts";
import { comfortOf } from "./comfort.ts";

/** How the pages look. */
export type Theme = "auto" | "light" | "dark";

/** How the scene is drawn: `auto` asks what draws it. */
export type Picture = "auto" | "fine" | "fast";

/** A place for short texts: the browser's `localStorage`, or a map in tests. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** The preferences on one shelf. A browser that keeps nothing (private windows may not) is no error. */
export class Preferences {
  readonly #shelf: TextStorage;
  #color = "";

  constructor(shelf: TextStorage) {
    this.#shelf = shelf;
  }

  /** The name, or an empty text. */
  get name(): string {
    return this.#read("stoa-name");
  }

  set name(name: string) {
    this.#write("stoa-name", tidyName(name));
  }

  get theme(): Theme {
    const theme = this.#read("stoa-theme");
    return theme === "light" || theme === "dark" ? theme : "auto";
  }

  set theme(theme: Theme) {
    this.#write("stoa-theme", theme);
  }

  get picture(): Picture {
    const picture = this.#read("stoa-picture");
    return picture === "fine" || picture === "fast" ? picture : "auto";
  }

  set picture(picture: Picture) {
    this.#write("stoa-picture", picture);
  }

  /** How one looks to the others. */
  get looks(): AvatarAppearance {
    return looksOf(this.#read("stoa-looks"));
  }

  set looks(looks: AvatarAppearance) {
    this.#write("stoa-looks", JSON.stringify(looks));
  }

  /** The colour that the others see: the chosen one; for whoever chose none, one that was drawn once, the same at every entry. */
  get color(): string {
    const { color } = this.looks;
    if (color !== "") return color;
    const known = this.#read("stoa-color");
    if (COLOR.test(known)) return known;
    // A browser that keeps nothing has it for as long as the page is open.
    if (this.#color === "") this.#color = colorOf(crypto.randomUUID());
    this.#write("stoa-color", this.#color);
    return this.#color;
  }

  /** How one likes to be moved. */
  get comfort(): Comfort {
    return comfortOf(this.#read("stoa-comfort"));
  }

  set comfort(comfort: Comfort) {
    this.#write("stoa-comfort", JSON.stringify(comfort));
  }

  /** Whether this browser was told how to move. */
  get hinted(): boolean {
    return this.#read("stoa-hinted") === "yes";
  }

  set hinted(hinted: boolean) {
    this.#write("stoa-hinted", hinted ? "yes" : "");
  }

  #read(key: string): string {
    try {
      return this.#shelf.getItem(key) ?? "";
    } catch {
      return "";
    }
  }

  #write(key: string, value: string): void {
    try {
      this.#shelf.setItem(key, value);
    } catch {
      // Nothing is remembered then; the page works all the same.
    }
  }
}

const COLOR = /^#[0-9a-f]{6}$/;
const encoder = new TextEncoder();

/** A name without blanks around and inside, no longer than it may be. */
export function tidyName(name: string): string {
  const characters = [...name.replaceAll(/[\s\p{Cc}]+/gu, " ").trim()].slice(0, NAME_LENGTH_MAX);
  while (encoder.encode(characters.join("")).length > DISPLAY_NAME_BYTES_MAX) characters.pop();
  return characters.join("").trim();
}

/** Shows the theme on the whole page. */
export function showTheme(theme: Theme, root: HTMLElement): void {
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
}
