import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../../../app/lab/speech");
const HEAD_BYTES = 44;

/** A file of the lab's speech at 48 kHz, interpolated linearly: its spectrum lies far below. */
export function readSpeech(name: string): Float32Array {
  const bytes = readFileSync(join(FOLDER, name));
  const from = new Int16Array(bytes.buffer.slice(bytes.byteOffset + HEAD_BYTES, bytes.byteOffset + bytes.length));
  const ratio = bytes.readUInt32LE(24) / 48_000;
  return Float32Array.from({ length: Math.floor((from.length - 1) / ratio) }, (_, at) => {
    const [before, share] = [Math.floor(at * ratio), (at * ratio) % 1];
    return ((1 - share) * (from[before] ?? 0) + share * (from[before + 1] ?? 0)) / 32_768;
  });
}
