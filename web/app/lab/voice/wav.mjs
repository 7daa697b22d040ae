/** Files of sound: 16-bit PCM with one channel in the WAV format. */
import { readFile, writeFile } from "node:fs/promises";

const HEAD_BYTES = 44;

/** Reads a file as a recording that begins at 0 ms. */
export async function readWav(path) {
  const bytes = await readFile(path);
  const [format, channels, bits] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22), bytes.readUInt16LE(34)];
  if (format !== 1 || channels !== 1 || bits !== 16)
    throw new RangeError(`${path}: format ${format}, ${channels} channels and ${bits} bits, not 1, 1 and 16`);
  const count = Math.floor((bytes.length - HEAD_BYTES) / 2);
  const samples = Float32Array.from({ length: count }, (_, at) => bytes.readInt16LE(HEAD_BYTES + 2 * at) / 32_768);
  return { rateHz: bytes.readUInt32LE(24), startMs: 0, samples };
}

/** Writes a recording. */
export async function writeWav(path, { rateHz, samples }) {
  const bytes = Buffer.alloc(HEAD_BYTES + 2 * samples.length);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rateHz, 24);
  bytes.writeUInt32LE(2 * rateHz, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(2 * samples.length, 40);
  for (const [at, sample] of samples.entries())
    bytes.writeInt16LE(Math.round(32_767 * Math.max(-1, Math.min(1, sample))), HEAD_BYTES + 2 * at);
  await writeFile(path, bytes);
}
