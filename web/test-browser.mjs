/** Builds pages under test, serves them, and opens them in the distribution's Chromium. */
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";
import { build } from "vite";

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".gltf": "model/gltf+json",
  ".png": "image/png",
  ".css": "text/css",
};

/** The path of Chromium: `CHROMIUM` in the environment, or the distribution's. */
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

/**
 * Opens a browser with the built pages at `address`; `close` stops browser and server. `configOf` gives the build
 * configuration for a folder, `flags` are Chromium's.
 */
export async function openBuilt(configOf, flags = []) {
  const folder = await mkdtemp(join(tmpdir(), "stoa-pages-"));
  await build(configOf(folder));
  const { address, stop } = await serve(folder);
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: ["--no-sandbox", ...flags] });
  const close = async () => {
    await browser.close();
    stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { address, browser, close };
}
