// The pictures of docs/: each state once for each window size and theme. Those that a page of docs/ shows are kept.
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { PageOptions } from "./browser.ts";

export interface WindowSizeAndTheme {
  readonly size: "desktop" | "phone";
  readonly theme: "light" | "dark";
}

const VIEWS: readonly WindowSizeAndTheme[] = [
  { size: "desktop", theme: "light" },
  { size: "desktop", theme: "dark" },
  { size: "phone", theme: "light" },
  { size: "phone", theme: "dark" },
];
const WINDOWS = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 },
};
/** A picture in a single colour has fewer bytes. */
const BYTES_MIN = 4_000;
/** JPEG quality, kept low since all pictures are in the repository. */
const QUALITY = 60;
const FOLDER = "pages";
const ROOT = resolve(import.meta.dirname, "../../..");
/** A link to a picture in a Markdown page. */
const LINK = /screenshots\/pages\/([\w-]+\.jpg)/g;

/** The views to take: all for docs/ (`make screenshots`), otherwise one wide and one narrow. */
export function views(): readonly WindowSizeAndTheme[] {
  return process.env.STOA_SCREENSHOTS === undefined
    ? VIEWS.filter(({ size, theme }) => (size === "desktop") === (theme === "light"))
    : VIEWS;
}

/**
 * Chromium's flags. Where drawing is sparse, composing a large window with SwiftShader would take longer than WebGL. At
 * full resolution, copying the canvas to be composed elsewhere takes longer still.
 */
export function browserFlags(): readonly string[] {
  return drawing() === "sparse" ? ["--disable-gpu-compositing"] : [];
}

function drawing(): "sparse" | "whole" {
  return process.env.STOA_SCREENSHOTS === undefined ? "sparse" : "whole";
}

/** The browser options of a view. */
export function windowOf({ size, theme }: WindowSizeAndTheme): PageOptions {
  return { ...WINDOWS[size], colorScheme: theme, drawing: drawing() };
}

/** Takes pictures and checks them. On request, those that README.md or docs/ show are written into docs/. */
export class ScreenshotChecker {
  readonly #folder: string | undefined;
  /** File names of the pictures to write. */
  readonly #linked: ReadonlySet<string>;

  private constructor(folder: string | undefined, linked: ReadonlySet<string>) {
    this.#folder = folder;
    this.#linked = linked;
  }

  static async open(): Promise<ScreenshotChecker> {
    const { STOA_SCREENSHOTS } = process.env;
    if (STOA_SCREENSHOTS === undefined) return new ScreenshotChecker(undefined, new Set());
    const folder = join(STOA_SCREENSHOTS, FOLDER);
    await mkdir(folder, { recursive: true });
    return new ScreenshotChecker(folder, await linkedPictures());
  }

  /** Takes a picture and checks that it is neither blank nor wider than the window. */
  async take(
    page: Page,
    view: WindowSizeAndTheme,
    { name, title }: { readonly name: string; readonly title: string },
  ): Promise<void> {
    const file = fileOf(name, view);
    const written = this.#folder === undefined || !this.#linked.has(file) ? {} : { path: join(this.#folder, file) };
    // A picture that fails to load still takes up space in the page.
    await page.locator("img:visible").evaluateAll((shown) => {
      const isSeen = ({ top, bottom }: DOMRect) => bottom > 0 && top < innerHeight;
      const decode = async (one: Element) => {
        if (one instanceof HTMLImageElement && isSeen(one.getBoundingClientRect())) await one.decode();
      };
      return Promise.allSettled(shown.map(decode));
    });
    const bytes = await page.screenshot({ ...written, type: "jpeg", quality: QUALITY, animations: "disabled" });
    expect(bytes.length, `${title} (${name}) shows something`).toBeGreaterThan(BYTES_MIN);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond, `${title} (${name}) is no wider than the window`).toBeLessThanOrEqual(0);
  }

  /** Removes the pictures that no page shows any more. */
  async close(): Promise<void> {
    const folder = this.#folder;
    if (folder === undefined) return;
    const unlinked = (await readdir(folder)).filter((file) => !this.#linked.has(file));
    await Promise.all(unlinked.map((file) => rm(join(folder, file))));
  }
}

function fileOf(name: string, { size, theme }: WindowSizeAndTheme): string {
  return `${name}-${size}-${theme}.jpg`;
}

/** The file names of the pictures that README.md and the pages of docs/ show. */
async function linkedPictures(): Promise<ReadonlySet<string>> {
  const docs = await readdir(join(ROOT, "docs"), { recursive: true });
  const pages = ["README.md", ...docs.filter((path) => path.endsWith(".md")).map((path) => join("docs", path))];
  const texts = await Promise.all(pages.map((path) => readFile(join(ROOT, path), "utf8")));
  return new Set(texts.flatMap((text) => [...text.matchAll(LINK)].map(([, file = ""]) => file)));
}
