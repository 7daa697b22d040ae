/** The page under test, in a browser. */
import { openBuilt } from "../../test-browser.mjs";
import { pageBuild } from "./vite.config.mjs";

const FLAGS = [
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
  "--autoplay-policy=no-user-gesture-required",
];

/** Everything that a test needs; `close` shuts it down. */
export function openBrowser() {
  return openBuilt(pageBuild, FLAGS);
}

/** A page with a loaded scene; `requests` lists all requested URLs, `errors` the page's errors. */
export async function openScene({ address, browser }, { query = "", ...context } = {}) {
  const page = await browser.newPage({ viewport: { width: 640, height: 400 }, ...context });
  const requests = [];
  const errors = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => errors.push(String(error.stack ?? error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(`${address}/${query}`);
  await page.waitForSelector("body[data-ready]", { state: "attached" });
  return { page, requests, errors };
}
