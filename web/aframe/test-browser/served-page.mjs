/** Builds the page under test, serves it, and opens it in the distribution's Chromium. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";
import { build } from "vite";
import { pageBuild } from "./vite.config.mjs";

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".gltf": "model/gltf+json",
  ".png": "image/png",
  ".css": "text/css",
};

const FLAGS = [
  "--no-sandbox",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
  "--autoplay-policy=no-user-gesture-required",
];

/** Where Chromium is: `CHROMIUM` in the environment, else the distribution's. */
function chromiumPath() {
  const found = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
    (path) => path && existsSync(path),
  );
  if (!found) throw new Error("no Chromium found: install the package 'chromium', or name it in CHROMIUM");
  return found;
}

async function serve(folder) {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const file = join(folder, normalize(path === "/" ? "/index.html" : path));
    try {
      const body = await readFile(file);
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://localhost:${server.address().port}`, stop: () => server.close() };
}

/** Everything a test needs; `close` takes it all down. */
export async function openBrowser() {
  const folder = await mkdtemp(join(tmpdir(), "stoa-aframe-"));
  await build(pageBuild(folder));
  const { address, stop } = await serve(folder);
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: FLAGS });
  const close = async () => {
    await browser.close();
    stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { address, browser, close };
}

/** A page with the scene loaded; `requests` holds every address it asked for, `errors` what went wrong in it. */
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
