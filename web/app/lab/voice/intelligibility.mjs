/** How intelligible heard sentences are, by Python's `pystoi`. */
import { spawn } from "node:child_process";
import { resolve } from "node:path";

const SCRIPT = resolve(import.meta.dirname, "estoi.py");

/** The extended short-time objective intelligibility of each sentence, from about 0 to 1. */
export async function estoiOf(sentences, rateHz) {
  if (sentences.length === 0) return [];
  const samples = sentences[0].clean.length;
  const python = process.env.ESTOI_PYTHON ?? "python3";
  const child = spawn(python, [SCRIPT, String(rateHz), String(samples)], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`${python} ${SCRIPT} ended with ${code}`))));
  });
  // A script that failed reads no more; its exit tells more than this error.
  child.stdin.on("error", () => undefined);
  for (const one of sentences.flatMap(({ clean, degraded }) => [clean, degraded]))
    child.stdin.write(new Uint8Array(one.buffer, one.byteOffset, one.byteLength));
  child.stdin.end();
  let printed = "";
  child.stdout.on("data", (text) => {
    printed += text;
  });
  await ended;
  const found = printed.trim().split("\n").map(Number);
  if (found.length !== sentences.length || found.some(Number.isNaN))
    throw new Error(`${found.length} values for ${sentences.length} sentences: ${found}`);
  return found;
}
