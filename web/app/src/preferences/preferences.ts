/** Reads and stores the user's settings in this browser: name, avatar, comfort, and appearance of the pages. */
import type { Comfort } from "@stoa/aframe/comfort";
import { colorOf } from "@stoa/client";
import { DISPLAY_NAME_BYTES_MAX, NAME_LENGTH_MAX } from "../limits.ts";
import { type AvatarAppearance, looksOf } from "./avatar-appearance.ts";
import { comfortOf } from "./comfort.ts";

/** The colour theme of the pages. */
export type Theme = "auto" | "light" | "dark";

/** Graphics quality; `auto` depends on the renderer. */
export type GraphicsQuality = "auto" | "fine" | "fast";

/** A store of short texts: `localStorage`, or a map in tests. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

/** The settings in one store. A browser that stores nothing, such as a private window, is no error. */
export class Preferences {
  readonly #storage: TextStorage;
  #color = "";

  constructor(storage: TextStorage) {
    this.#storage = storage;
  }

  /** The display name; empty if unset. */
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

  /** Id of the preferred microphone; `undefined` for the system's. */
  get microphone(): string | undefined {
    const id = this.#read("stoa-microphone");
    return id === "" ? undefined : id;
  }

  set microphone(id: string | undefined) {
    this.#write("stoa-microphone", id ?? "");
  }

  /** Whether the own voice is heard until it is muted, or while a key is held. */
  get talkMode(): "open" | "push" {
    return this.#read("stoa-talk") === "push" ? "push" : "open";
  }

  set talkMode(mode: "open" | "push") {
    this.#write("stoa-talk", mode);
  }

  get picture(): GraphicsQuality {
    const picture = this.#read("stoa-picture");
    return picture === "fine" || picture === "fast" ? picture : "auto";
  }

  set picture(picture: GraphicsQuality) {
    this.#write("stoa-picture", picture);
  }

  /** The user's avatar settings. */
  get looks(): AvatarAppearance {
    return looksOf(this.#read("stoa-looks"));
  }

  set looks(looks: AvatarAppearance) {
    this.#write("stoa-looks", JSON.stringify(looks));
  }

  /** The user's colour: the selected one, or a random one that is drawn once and kept. */
  get color(): string {
    const { color } = this.looks;
    if (color !== "") return color;
    const known = this.#read("stoa-color");
    if (COLOR.test(known)) return known;
    // Without storage, the colour lasts while the page is open.
    if (this.#color === "") this.#color = colorOf(crypto.randomUUID());
    this.#write("stoa-color", this.#color);
    return this.#color;
  }

  /** The user's comfort settings. */
  get comfort(): Comfort {
    return comfortOf(this.#read("stoa-comfort"));
  }

  set comfort(comfort: Comfort) {
    this.#write("stoa-comfort", JSON.stringify(comfort));
  }

  /** Whether the hint on movement was closed in this browser. */
  get hinted(): boolean {
    return this.#read("stoa-hinted") === "yes";
  }

  set hinted(hinted: boolean) {
    this.#write("stoa-hinted", hinted ? "yes" : "");
  }

  #read(key: string): string {
    try {
      return this.#storage.getItem(key) ?? "";
    } catch {
      return "";
    }
  }

  #write(key: string, value: string): void {
    try {
      this.#storage.setItem(key, value);
    } catch {
      // Storage is unavailable; the page works without it.
    }
  }
}

const COLOR = /^#[0-9a-f]{6}$/;
const encoder = new TextEncoder();

/** Characters that the realm refuses in names: bidi controls, and ignorable ones. */
const HIDDEN =
  /\p{Bidi_Control}|\u034f|[\u00ad\u115f\u1160]|\u17b4|\u17b5|[\u180e\u200b\u2060-\u206f\u2800\u3164\ufeff\uffa0]/gu;
/** Zero-width joiners at the ends of a name, and next to characters up to U+024F, which don't join. */
const LOOSE_JOINERS = /(?<=^|[\0-\u024f])[\u200c\u200d]+|[\u200c\u200d]+(?=$|[\0-\u024f])/gu;

/** Normalises a name: removes hidden characters, trims it, collapses whitespace and cuts it to the limit. */
export function tidyName(name: string): string {
  const shown = name
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .replaceAll(HIDDEN, "")
    .trim();
  const characters = [...shown].slice(0, NAME_LENGTH_MAX);
  while (encoder.encode(characters.join("")).length > DISPLAY_NAME_BYTES_MAX) characters.pop();
  return characters.join("").replaceAll(LOOSE_JOINERS, "").trim();
}

/** Applies the theme to the page. */
export function showTheme(theme: Theme, root: HTMLElement): void {
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
}
