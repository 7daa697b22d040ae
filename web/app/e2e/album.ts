// The pictures of docs/: each state once for each window size and theme, and the page that shows them all.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { PageOptions } from "./browser.ts";

/** A window size and a theme. */
export interface View {
  readonly size: "desktop" | "phone";
  readonly theme: "light" | "dark";
}

const VIEWS: readonly View[] = [
  { size: "desktop", theme: "light" },
  { size: "desktop", theme: "dark" },
  { size: "phone", theme: "light" },
  { size: "phone", theme: "dark" },
];
const WINDOWS = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 },
};
/** Width of the pictures in the gallery, in pixels. */
const WIDTHS = { desktop: 360, phone: 110 };
/** A picture in a single colour has fewer bytes. */
const BYTES_MIN = 4_000;
/** JPEG quality, kept low since all pictures are in the repository. */
const QUALITY = 60;
const FOLDER = "pages";

/** The views to take: all for docs/ (`make screenshots`), otherwise one wide and one narrow. */
export function views(): readonly View[] {
  return process.env.STOA_SCREENSHOTS === undefined
    ? VIEWS.filter(({ size, theme }) => (size === "desktop") === (theme === "light"))
    : VIEWS;
}

/** The browser options of a view. */
export function windowOf({ size, theme }: View): PageOptions {
  const drawing = process.env.STOA_SCREENSHOTS === undefined ? "seldom" : "whole";
  return { ...WINDOWS[size], colorScheme: theme, drawing };
}

/** A state with the files of its pictures. */
interface Taken {
  readonly title: string;
  readonly files: Set<string>;
}

/** Takes pictures. They are written into docs/ on request, and otherwise only checked. */
export class Album {
  readonly #folder: string | undefined;
  /** Title and views of each state, in the order in which they were first taken. */
  readonly #taken = new Map<string, Taken>();

  private constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  static async open(): Promise<Album> {
    const folder = process.env.STOA_SCREENSHOTS;
    if (folder !== undefined) await mkdir(join(folder, FOLDER), { recursive: true });
    return new Album(folder);
  }

  /** Takes a picture and checks that it is neither blank nor wider than the window. */
  async take(page: Page, view: View, what: { readonly name: string; readonly title: string }): Promise<void> {
    const { name, title } = what;
    const taken = this.#taken.get(name) ?? { title, files: new Set() };
    this.#taken.set(name, taken);
    taken.files.add(fileOf(name, view));
    const written = this.#folder === undefined ? {} : { path: join(this.#folder, FOLDER, fileOf(name, view)) };
    // A picture that fails to load still takes up space in the page.
    await page.locator("img:visible").evaluateAll((shown) => {
      const isSeen = ({ top, bottom }: DOMRect) => bottom > 0 && top < innerHeight;
      const decode = async (one: Element) => {
        if (one instanceof HTMLImageElement && isSeen(one.getBoundingClientRect())) await one.decode();
      };
      return Promise.allSettled(shown.map(decode));
    });
    const bytes = await page.screenshot({ ...written, type: "jpeg", quality: QUALITY, animations: "disabled" });
    expect(bytes.length, `${name} shows something`).toBeGreaterThan(BYTES_MIN);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond, `${name} is no wider than the window`).toBeLessThanOrEqual(0);
  }

  /** Writes the gallery page beside the pictures. */
  async close(): Promise<void> {
    if (this.#folder !== undefined) await writeFile(join(this.#folder, "README.md"), gallery(this.#taken));
  }
}

function fileOf(name: string, { size, theme }: View): string {
  return `${name}-${size}-${theme}.jpg`;
}

function gallery(taken: ReadonlyMap<string, Taken>): string {
  const parts = [...taken].map(([name, { title, files }]) => {
    // The view in a headset doesn't depend on the window size.
    const views = VIEWS.filter((view) => files.has(fileOf(name, view)));
    return `\n## ${title}\n${views.map((view) => image(name, title, view)).join("\n")}\n`;
  });
  return `# Pictures of every page and panel\nOn a desktop and a phone, light and dark; made by \`make screenshots\`.\n${parts.join("")}`;
}

function image(name: string, title: string, view: View): string {
  const alt = `${title}: ${view.size}, ${view.theme}`;
  return `<img src="${FOLDER}/${fileOf(name, view)}" width="${WIDTHS[view.size]}"\n  alt="${alt}">`;
}
