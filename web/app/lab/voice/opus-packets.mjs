/**
 * Encodes a file of speech as the pages do, for speakers without a browser. Prints one JSON object with the packets in
 * base64. Started by `stoa-lab voice`.
 *
 *     node opus-packets.mjs --speech ../speech/harbour.wav --quieter-db 80
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createEncoder } from "libopus-wasm";
import { atRate } from "../sound.mjs";
import { readWav } from "./wav.mjs";

const RATE_HZ = 48_000;
const UNIT_SAMPLES = 960;
/** Settings of the pages' encoder. Without DTX, each unit of a silence is sent too. */
const SETTINGS = {
  application: 2_048,
  bitrate: 32_000,
  complexity: 5,
  fec: true,
  packetLossPercent: 10,
  signal: 3_001,
};

const { values } = parseArgs({
  options: {
    speech: { type: "string", default: "../speech/harbour.wav" },
    /** By how much the speech is quieter than the file. */
    "quieter-db": { type: "string", default: "0" },
  },
});

const { samples } = atRate(await readWav(resolve(import.meta.dirname, values.speech)), RATE_HZ);
const gain = 10 ** (-Number(values["quieter-db"]) / 20);
const encoder = await createEncoder({ ...SETTINGS, channels: 1, sampleRate: RATE_HZ, frameSize: UNIT_SAMPLES });
const packets = [];
for (let at = 0; at + UNIT_SAMPLES <= samples.length; at += UNIT_SAMPLES) {
  const unit = samples.subarray(at, at + UNIT_SAMPLES).map((sample) => gain * sample);
  packets.push(Buffer.from(encoder.encodeFloat(unit)).toString("base64"));
}
encoder.free();
process.stdout.write(`${JSON.stringify({ packets })}\n`);
