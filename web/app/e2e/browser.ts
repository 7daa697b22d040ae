// Debian's Chromium with software WebGL, driven by playwright-core.
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

/** The device pixel ratio of pages that draw sparsely. */
const PIXEL_RATIO = 0.3;

/** `flags` are added to Chromium's command line. */
export function launch(flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: [...FLAGS, ...flags] });
}

/** A page with its errors so far. */
export interface OpenedPage {
  readonly page: Page;
  readonly errors: string[];
}

export interface PageOptions extends BrowserContextOptions {
  /** `sparse`: few frames at a low resolution. `whole`: every frame, for pictures that are kept. */
  readonly drawing?: "sparse" | "whole";
}

/** Opens a page in its own profile and collects its errors in `errors`. */
export async function openPage(browser: Browser, options: PageOptions = {}): Promise<OpenedPage> {
  const { drawing = "sparse", ...ofContext } = options;
  const context = await browser.newContext({ viewport: { width: 480, height: 320 }, ...ofContext });
  if (drawing !== "whole") await context.addInitScript(drawSparsely, PIXEL_RATIO);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  return { page, errors };
}
