// Generates small files of every supported kind, and a large one.
import { gzipSync } from "node:zlib";
import { type Document, NodeIO } from "@gltf-transform/core";
import type { Page } from "playwright-core";
import { smallVrm } from "../../aframe/test/people/small-vrm.ts";
import { makeModel, pngOf } from "../test/editor/model.ts";

/** A file with its name. */
export interface MadeFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A model of about the given number of bytes, most of them unused and incompressible. */
export async function largeModel(bytes: number): Promise<Buffer> {
  const io = new NodeIO();
  const document: Document = await io.readBinary(await makeModel({ side: 300, twice: true, texture: pngOf(900) }));
  const noise = new Uint16Array(bytes / 2);
  let seed = 1;
  for (let at = 0; at < noise.length; at += 1) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    noise[at] = seed >>> 16;
  }
  const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer();
  // An accessor without references, as some exporters leave behind.
  document.createAccessor("left over").setType("SCALAR").setArray(noise).setBuffer(buffer);
  return Buffer.from(await io.writeBinary(document));
}

/** A beep of a tenth of a second. */
function wav(): Uint8Array {
  const [rate, samples] = [8_000, 800];
  const bytes = Buffer.alloc(44 + samples);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(36 + samples, 4);
  bytes.write("WAVEfmt ", 8, "latin1");
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write("data", 36, "latin1");
  bytes.writeUInt32LE(samples, 40);
  for (let at = 0; at < samples; at += 1) bytes[44 + at] = 128 + Math.round(60 * Math.sin(at / 3));
  return bytes;
}

/** A row of splats as PLY, the format of training programs. */
function ply(count = 20): Uint8Array {
  const names = ["x", "y", "z", "f_dc_0", "f_dc_1", "f_dc_2", "opacity", "scale_0", "scale_1", "scale_2"];
  names.push("rot_0", "rot_1", "rot_2", "rot_3");
  const properties = names.map((name) => `property float ${name}`).join("\n");
  const header = `ply\nformat binary_little_endian 1.0\nelement vertex ${count}\n${properties}\nend_header\n`;
  const numbers = new Float32Array(count * names.length);
  for (let at = 0; at < count; at += 1)
    numbers.set([at / 10 - 1, 1, 0, 1, 0, -1, 5, -3, -3, -3, 1, 0, 0, 0], at * names.length);
  return Buffer.concat([Buffer.from(header), Buffer.from(numbers.buffer)]);
}

/** The same splats as Niantic's SPZ, version 2. */
function spz(count = 20): Uint8Array {
  const head = Buffer.alloc(16);
  head.write("NGSP", 0, "latin1");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(count, 8);
  const fractionalBits = 12;
  head[13] = fractionalBits;
  const positions = Buffer.alloc(count * 9);
  for (let at = 0; at < count; at += 1)
    positions.writeIntLE(Math.round((at / 10 - 1) * 2 ** fractionalBits), at * 9, 3);
  const [alphas, colors] = [Buffer.alloc(count, 220), Buffer.alloc(count * 3, 200)];
  const [scales, turns] = [Buffer.alloc(count * 3, 110), Buffer.alloc(count * 3, 128)];
  return gzipSync(Buffer.concat([head, positions, alphas, colors, scales, turns]));
}

/** A glTF's JSON as a binary glTF. */
function glb(json: string): Uint8Array {
  const text = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4, " "));
  const head = Buffer.alloc(20);
  head.write("glTF", 0, "latin1");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(20 + text.length, 8);
  head.writeUInt32LE(text.length, 12);
  head.write("JSON", 16, "latin1");
  return Buffer.concat([head, text]);
}

/** A video that the page records: half a second of coloured stripes. */
async function webm(page: Page): Promise<Uint8Array> {
  const bytes = await page.evaluate(async () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [64, 32];
    const pen = canvas.getContext("2d");
    const paint = (turn: number): void => {
      for (let stripe = 0; stripe < 8 && pen; stripe += 1) {
        pen.fillStyle = `hsl(${stripe * 45 + turn} 90% 50%)`;
        pen.fillRect(stripe * 8, 0, 8, 32);
      }
    };
    // A page that draws a scene is slow: the video must not begin with an empty canvas.
    paint(0);
    const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: "video/webm" });
    const pieces: Blob[] = [];
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    const stopped = new Promise((done) => {
      recorder.onstop = done;
    });
    recorder.start();
    for (let frame = 0; frame < 20; frame += 1) {
      paint(frame);
      await new Promise((drawn) => requestAnimationFrame(drawn));
    }
    recorder.stop();
    await stopped;
    return [...new Uint8Array(await new Blob(pieces).arrayBuffer())];
  });
  return Uint8Array.from(bytes);
}

/** One file of each kind; the page records the video. */
export async function oneOfEach(page: Page): Promise<readonly MadeFile[]> {
  return [
    { name: "wall.png", bytes: pngOf(48) },
    { name: "film.webm", bytes: await webm(page) },
    { name: "beep.wav", bytes: wav() },
    { name: "tree.ply", bytes: ply() },
    { name: "bush.spz", bytes: spz() },
    { name: "person.vrm", bytes: glb(smallVrm()) },
  ];
}
