/** Builds the templates for new scenes from primitive shapes only, so no files have to be loaded. */
import { texts } from "../texts/texts.ts";
import { type Point, SceneBuilder } from "./scene-builder.ts";
import type { TemplateId } from "./template-ids.ts";

const words = texts.scenes.written;
const INK = "#22313f";
const PAPER = "#f7f4ec";
const WOOD = "#8a6747";
const TAU = 2 * Math.PI;

/** The template `empty`: a floor without furniture. */
function empty(): SceneBuilder {
  const room = new SceneBuilder();
  room.light({ sky: "#6ea8dc", horizon: "#eef3f4", ground: "#7d7a70", sun: "#fff3df" });
  room.column("floor", [0, -0.05, 0], [12, 0.1], { color: "#dcd8cd", roughness: 0.95, flat: true });
  room.ring("floor-edge", [0, 0.004, 0], [11.4, 11.6], "#9aa7a6");
  room.place("start", [0, 0, 5], { label: words.door, start: true, around: 1 });
  return room;
}

/** The template `meeting`: seats around a table, facing each other. */
function meeting(): SceneBuilder {
  const room = new SceneBuilder();
  room.light({ sky: "#8fb7d9", horizon: "#f4eadb", ground: "#75695c", sun: "#ffeed6" });
  room.column("floor", [0, -0.05, 0], [7.5, 0.1], { color: "#cdb594", roughness: 0.9, flat: true });
  room.ring("floor-edge", [0, 0.004, 0], [7.0, 7.2], "#5f7f78");
  room.column("rug", [0, 0.005, 0], [4.2, 0.012], { color: "#38586a", roughness: 1, flat: true });
  room.ring("rug-edge", [0, 0.014, 0], [3.95, 4.05], "#e3c98f");
  room.column("table", [0, 0.72, 0], [1.75, 0.06], { color: PAPER, roughness: 0.45 });
  room.column("table-edge", [0, 0.685, 0], [1.7, 0.03], { color: WOOD });
  room.column("table-leg", [0, 0.34, 0], [0.3, 0.66], { color: WOOD });
  room.column("table-foot", [0, 0.03, 0], [0.75, 0.05], { color: WOOD });
  const colors = ["#d97b4f", "#5f8f86", "#e3b04b"] as const;
  for (let number = 1; number <= 12; number += 1) {
    const angle = (number / 12) * TAU;
    const at: Point = [2.55 * Math.sin(angle), 0, 2.55 * Math.cos(angle)];
    room.chair(`seat-${number}`, at, { color: colors[number % 3] ?? INK, turned: (angle * 360) / TAU });
  }
  for (let number = 1; number <= 8; number += 1) {
    const angle = ((number + 0.5) / 8) * TAU;
    const [x, z] = [6.5 * Math.sin(angle), 6.5 * Math.cos(angle)];
    room.column(`post-${number}`, [x, 1.5, z], [0.11, 3], { color: "#efe6d6" });
  }
  room.add("roof", "object", {
    object_type: "torus",
    position: { x: 0, y: 3.05, z: 0 },
    rotation: { x: -Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 },
    radius: 6.5,
    radiusTubular: 0.1,
    segmentsRadial: 10,
    segmentsTubular: 72,
    material: { color: "#efe6d6", roughness: 0.8, metalness: 0 },
    shadow: { cast: true, receive: true },
  });
  room.column("lamp-rod", [0, 3.1, 0], [0.015, 1.2], { color: INK });
  room.add("lamp", "object", {
    object_type: "sphere",
    position: { x: 0, y: 2.4, z: 0 },
    radius: 0.26,
    material: { color: "#fff2cf", emissive: "#ffdf9a", emissiveIntensity: 0.9, roughness: 0.6 },
  });
  room.bulb("lamp-light", [0, 2.3, 0], "#ffdca0");
  for (const [number, turn] of [0.06, 0.31, 0.56, 0.81].entries())
    room.plant(`plant-${number + 1}`, [5.7 * Math.sin(turn * TAU), 0, 5.7 * Math.cos(turn * TAU)]);
  room.place("table-side", [0, 0, 0], { label: words.table });
  room.place("start", [0, 0, 5.4], { label: words.door, start: true, around: 0.8 });
  return room;
}

/** Three walls around a floor, with skirting: left, right, and the front at -z. The back is open. */
function walls(room: SceneBuilder, [width, height, depth]: Point, color: string): void {
  const thick = 0.12;
  const style = { color, roughness: 0.95 };
  room.box("wall-front", [0, height / 2, -depth / 2], [width, height, thick], style);
  room.box("wall-left", [-width / 2, height / 2, 0], [thick, height, depth], style);
  room.box("wall-right", [width / 2, height / 2, 0], [thick, height, depth], style);
  for (const [side, x, length] of [
    ["left", -width / 2, 0.3],
    ["right", width / 2, 0.3],
  ] as const)
    room.box(`skirting-${side}`, [x - Math.sign(x) * 0.08, 0.06, 0], [0.04, length * 0.4, depth], { color: "#8d8a82" });
  room.box("skirting-front", [0, 0.06, -depth / 2 + 0.08], [width, 0.12, 0.04], { color: "#8d8a82" });
}

/** The template `classroom`: a screen, a desk next to it, and rows of seats that face both. */
function classroom(): SceneBuilder {
  const room = new SceneBuilder();
  room.light({ sky: "#8ec1e8", horizon: "#f3f6f4", ground: "#80786a", sun: "#fff6e8" });
  room.box("floor", [0, -0.05, 1], [12, 0.1, 14], { color: "#c9ab82", roughness: 0.75, flat: true });
  room.box("wall-front", [0, 1.9, -6], [12, 3.8, 0.12], { color: "#dfe7e4", roughness: 0.95 });
  room.box("wall-left", [-6, 1.9, 1], [0.12, 3.8, 14], { color: "#eef0ea", roughness: 0.95 });
  room.box("skirting-front", [0, 0.07, -5.9], [12, 0.14, 0.04], { color: "#7d8a86" });
  room.box("skirting-left", [-5.9, 0.07, 1], [0.04, 0.14, 14], { color: "#7d8a86" });
  // The right side has windows: posts with two rails.
  room.box("rail-low", [6, 0.45, 1], [0.1, 0.9, 14], { color: "#eef0ea" });
  room.box("rail-high", [6, 3.55, 1], [0.1, 0.5, 14], { color: "#eef0ea" });
  for (let number = 0; number < 6; number += 1)
    room.box(`post-${number + 1}`, [6, 1.9, -5.8 + number * 2.72], [0.1, 2.8, 0.1], { color: "#eef0ea" });
  room.box("stage", [0, 0.075, -4.7], [9, 0.15, 2.4], { color: "#a98455" });
  room.soft("screen-frame", [0, 2.15, -5.88], [5.5, 3.2, 0.08], { color: INK });
  room.box("screen", [0, 2.15, -5.83], [5.28, 2.97, 0.02], { color: "#fbfbf8", roughness: 0.6 });
  room.hint("screen", words.classroomText, { color: "#4a5a66", width: 7, before: 0.02 });
  room.box("desk", [-2.9, 0.93, -4.4], [1.5, 0.06, 0.7], { color: WOOD });
  room.box("desk-front", [-2.9, 0.53, -4.12], [1.4, 0.74, 0.04], { color: "#6f5137" });
  room.box("desk-left", [-3.58, 0.53, -4.4], [0.05, 0.76, 0.62], { color: "#6f5137" });
  room.box("desk-right", [-2.22, 0.53, -4.4], [0.05, 0.76, 0.62], { color: "#6f5137" });
  const colors = ["#3d7a8c", "#d98a4e", "#6f8f5a"] as const;
  for (let row = 0; row < 3; row += 1) {
    const z = -0.9 + row * 1.9;
    for (const [half, side] of [
      ["left", -1],
      ["right", 1],
    ] as const) {
      room.box(`table-${row + 1}-${half}`, [side * 2.35, 0.72, z - 0.62], [3.3, 0.05, 0.55], {
        color: PAPER,
        roughness: 0.5,
      });
      room.box(`table-${row + 1}-${half}-a`, [side * 2.35 - 1.5, 0.35, z - 0.62], [0.05, 0.7, 0.45], {
        color: "#8b8f96",
      });
      room.box(`table-${row + 1}-${half}-b`, [side * 2.35 + 1.5, 0.35, z - 0.62], [0.05, 0.7, 0.45], {
        color: "#8b8f96",
      });
      for (let seat = 0; seat < 4; seat += 1) {
        const x = side * 2.35 + (seat - 1.5) * 0.8;
        room.chair(`seat-${row + 1}-${half}-${seat + 1}`, [x, 0, z], { color: colors[row] ?? INK });
      }
    }
  }
  room.plant("plant-left", [-5.3, 0, -5.2]);
  room.plant("plant-right", [5.2, 0, -5.2]);
  room.place("speaker", [-2.9, 0.15, -5.1], { label: words.speaker, turned: 180 });
  room.place("audience", [0, 0, 0.4], { label: words.audience, around: 0.3 });
  room.place("start", [0, 0, 6], { label: words.door, start: true, around: 0.8 });
  return room;
}

/** The template `gallery`: walls with frames for pictures. */
function gallery(): SceneBuilder {
  const room = new SceneBuilder();
  room.light({ sky: "#b9cfe0", horizon: "#f6f4ef", ground: "#8a857b", sun: "#fffaf0" });
  room.box("floor", [0, -0.05, 0], [14, 0.1, 14], { color: "#b7a48c", roughness: 0.6, flat: true });
  walls(room, [14, 4, 14], "#f4f1ea");
  room.box("wall-back-left", [-4.6, 2, 7], [4.8, 4, 0.12], { color: "#f4f1ea", roughness: 0.95 });
  room.box("wall-back-right", [4.6, 2, 7], [4.8, 4, 0.12], { color: "#f4f1ea", roughness: 0.95 });
  room.box("divider", [0, 1.8, -1.2], [5.2, 3.6, 0.24], { color: "#2f4858", roughness: 0.9 });
  const frames: readonly (readonly [at: Point, turned: number, width: number])[] = [
    [[-4.2, 1.75, -6.9], 0, 2.2],
    [[0, 1.75, -6.9], 0, 3],
    [[4.2, 1.75, -6.9], 0, 2.2],
    [[-6.9, 1.75, -3.4], 90, 2.2],
    [[-6.9, 1.75, 0.4], 90, 2.2],
    [[-6.9, 1.75, 4.2], 90, 2.2],
    [[6.9, 1.75, -3.4], -90, 2.2],
    [[6.9, 1.75, 0.4], -90, 2.2],
    [[6.9, 1.75, 4.2], -90, 2.2],
    [[0, 1.75, -1.05], 0, 3],
  ];
  const tints = ["#d8a48f", "#a8c0b4", "#e2c48d", "#9db3c9", "#cbb2c6"] as const;
  for (const [index, [at, turned, width]] of frames.entries())
    frame(room, { number: index + 1, at, turned, width, tint: tints[index % tints.length] ?? PAPER });
  room.write("title", [0, 3.2, -1.05], words.galleryTitle, { color: PAPER, width: 8 });
  for (const [number, [x, z]] of [
    [-3.2, -4],
    [3.2, -4],
    [3.6, 2.4],
  ].entries()) {
    room.column(`plinth-${number + 1}`, [x ?? 0, 0.5, z ?? 0], [0.32, 1], { color: "#fbfaf6" });
  }
  room.soft("bench", [0, 0.42, 4.6], [1.9, 0.1, 0.5], { color: WOOD, more: {} });
  room.box("bench-left", [-0.75, 0.18, 4.6], [0.08, 0.37, 0.42], { color: INK });
  room.box("bench-right", [0.75, 0.18, 4.6], [0.08, 0.37, 0.42], { color: INK });
  for (const [number, [x, z]] of [
    [-3.6, -3.6],
    [3.6, -3.6],
    [0, 3],
  ].entries())
    room.bulb(`lamp-${number + 1}`, [x ?? 0, 3.4, z ?? 0], "#fff1d8");
  room.plant("plant-left", [-6.3, 0, 6.3]);
  room.plant("plant-right", [6.3, 0, 6.3]);
  room.place("middle", [0, 0, 2], { label: words.middle });
  room.place("start", [0, 0, 6], { label: words.door, start: true, around: 0.6 });
  return room;
}

interface PictureFrame {
  readonly number: number;
  readonly at: Point;
  readonly turned: number;
  readonly width: number;
  readonly tint: string;
}

/** A frame on a wall with a mat, a coloured field in place of the picture, and its label below. */
function frame(room: SceneBuilder, { number, at, turned, width, tint }: PictureFrame): void {
  const id = `frame-${number}`;
  const height = width === 3 ? 2 : 1.6;
  room.box(id, at, [width, height, 0.07], { color: INK, turned, roughness: 0.5 });
  const inside = (part: string, [w, h]: readonly [number, number], z: number, color: string): void =>
    room.add(`${id}-${part}`, "object", {
      object_type: "plane",
      position: { x: 0, y: 0, z },
      width: w,
      height: h,
      material: { color, roughness: 0.9 },
      parent: id,
    });
  inside("mat", [width - 0.12, height - 0.12], 0.037, "#fdfcf8");
  inside("picture", [width - 0.5, height - 0.5], 0.041, tint);
  room.add(`${id}-name`, "object", {
    object_type: "text",
    position: { x: 0, y: -height / 2 - 0.18, z: 0.02 },
    value: words.frame(number),
    color: number === 10 ? "#dfe7ea" : "#4a4a48",
    width: 4,
    align: "center",
    font: "roboto",
    side: "front",
    parent: id,
  });
}

const ROOMS: { readonly [Id in TemplateId]: () => SceneBuilder } = { empty, meeting, classroom, gallery };

/** A template as an import file of the realm: lines of JSON. */
export function templateText(id: TemplateId, scene: string, settings: { readonly public_read: boolean }): string {
  const head = { stoa_scene: 1, scene, settings };
  return [head, ...ROOMS[id]().objects].map((line) => JSON.stringify(line)).join("\n");
}
