/**
 * Measures the script of voices: the compressed size of all files that a page loads only when it hears and talks. Prints
 * one JSON object. Started by `stoa-lab voice`.
 *
 *     node voice-script.mjs --url http://localhost:8080 --scene public/lobby --speech speech/harbour.wav
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { compressedSizes, WAIT_MS } from "./browser.mjs";
import { openVoicePage, talk } from "./voice-pages.mjs";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:8080" },
    scene: { type: "string", default: "public/lobby" },
    speech: { type: "string", default: "speech/harbour.wav" },
  },
});

const open = (name) => {
  const { url, scene, speech } = values;
  return openVoicePage({ url, scene, name, file: resolve(import.meta.dirname, speech) });
};

/** The realm's files that a page and its workers request from now on. */
function requestedFiles(page) {
  const files = new Set();
  page.context().on("request", (request) => {
    if (new URL(request.url()).pathname.startsWith("/assets/")) files.add(request.url());
  });
  return files;
}

const opened = [];
try {
  // A page alone in its scene has nobody to hear.
  const speaker = await open("Ada");
  opened.push(speaker);
  await speaker.page.waitForLoadState("networkidle");
  const files = requestedFiles(speaker.page);
  const listener = await open("Bo");
  opened.push(listener);
  await talk(speaker);
  const isHeard = () => document.querySelector("stoa-scene").voice.speaking.size > 0;
  await listener.page.waitForFunction(isHeard, undefined, { timeout: WAIT_MS });
  await speaker.page.waitForLoadState("networkidle");
  const sizes = await compressedSizes(files);
  // The codec's script is requested by a worklet. If a browser reported only the page's requests, the sum would be small.
  const codec = sizes.find(({ file }) => file.includes("voice-script"));
  if (codec === undefined) throw new Error(`no codec among ${JSON.stringify(sizes)}`);
  const script_kib = sizes.reduce((total, { kib }) => total + kib, 0);
  const errors = [...speaker.errors, ...listener.errors];
  process.stdout.write(`${JSON.stringify({ script_kib, files: sizes, errors, browser: speaker.browser.version() })}\n`);
} finally {
  await Promise.all(opened.map(({ browser }) => browser.close()));
}
