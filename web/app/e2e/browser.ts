// Debian's Chromium, with software WebGL, driven by playwright-core.
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { drawSparsely } from "../../sparse-drawing.mjs";

const FLAGS = [
  "--no-sandbox",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
];

/** `flags` are further ones of Chromium's. */
export function launch(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: [...FLAGS, ...flags] });
}

/** A page, and what went wrong in it so far. */
export interface OpenedPage {
  readonly page: Page;
  readonly errors: string[];
}

export interface PageOptions extends BrowserContextOptions {
  /** `whole` for tests that look at pictures; the others draw seldom and few pixels. */
  readonly drawing?: "sparse" | "whole";
}

/** A page of its own profile. What goes wrong in it is kept in `errors`. */
export async function openPage(browser: Browser, options: PageOptions = {}): Promise<OpenedPage> {
  const { drawing = "sparse", ...ofContext } = options;
  const context = await browser.newContext({ viewport: { width: 480, height: 320 }, ...ofContext });
  if (drawing === "sparse") await context.addInitScript(drawSparsely);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  return { page, errors };
}
