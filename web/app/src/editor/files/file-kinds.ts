/** Detects a file's kind by its extension and first bytes, and creates the object that shows it. Pure functions. */
import type { Attributes } from "@stoa/client";
import { FILE_NAME_LENGTH_MAX, PICTURE_SIDE_M } from "../limits.ts";

/** How a file is used. `part` belongs to a `.gltf` that is added with it. */
export type FileKind = "model" | "image" | "video" | "sound" | "splat" | "scene" | "part";

/** Kinds that an object can show by itself. */
export type StandaloneFileKind = Exclude<FileKind, "scene" | "part">;

/** The kind of a file, by its extension. */
const ENDINGS: Readonly<Record<string, FileKind>> = {
  glb: "model",
  gltf: "model",
  vrm: "model",
  avif: "image",
  gif: "image",
  jpeg: "image",
  jpg: "image",
  png: "image",
  webp: "image",
  mp4: "video",
  webm: "video",
  aac: "sound",
  flac: "sound",
  m4a: "sound",
  mp3: "sound",
  oga: "sound",
  ogg: "sound",
  opus: "sound",
  wav: "sound",
  ply: "splat",
  spz: "splat",
  splat: "splat",
  ksplat: "splat",
  jsonl: "scene",
  bin: "part",
};

/** All accepted extensions with dots, for a file chooser. */
export const ACCEPTED = Object.keys(ENDINGS).map((ending) => `.${ending}`);

/** The extensions of these kinds, in the form of {@link ACCEPTED}. */
export function endingsFor(kinds: readonly FileKind[]): readonly string[] {
  return ACCEPTED.filter((ending) => kinds.includes(kindOf(ending) ?? "part"));
}

/** The extension in lower case, without its dot. */
export function endingOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
}

/** The path of an address without its query; empty for an address that pages can't load. */
export function pathOf(address: string, origin: string): string {
  try {
    const url = new URL(address, origin);
    return url.protocol === "https:" || url.protocol === "http:" ? url.pathname : "";
  } catch {
    return "";
  }
}

/** A file's kind by its extension; `undefined` if it is unsupported. */
export function kindOf(name: string): FileKind | undefined {
  const ending = endingOf(name);
  return Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined;
}

/** Signatures of a file by its extension, each at a byte offset; one of them must match. */
const BEGINNINGS: Readonly<Record<string, readonly (readonly [at: number, bytes: string])[]>> = {
  avif: [[4, "ftyp"]],
  flac: [[0, "fLaC"]],
  gif: [[0, "GIF8"]],
  glb: [[0, "glTF"]],
  jpeg: [[0, "\xff\xd8\xff"]],
  jpg: [[0, "\xff\xd8\xff"]],
  m4a: [[4, "ftyp"]],
  mp4: [[4, "ftyp"]],
  oga: [[0, "OggS"]],
  ogg: [[0, "OggS"]],
  opus: [[0, "OggS"]],
  ply: [[0, "ply"]],
  png: [[0, "\x89PNG"]],
  spz: [[0, "\x1f\x8b"]],
  vrm: [[0, "glTF"]],
  wav: [[0, "RIFF"]],
  webm: [[0, "\x1aE\xdf\xa3"]],
  webp: [[8, "WEBP"]],
};

/** The number of bytes that {@link beginsRight} reads. */
export const BEGINNING_BYTES = 12;

/** Whether a file's first bytes match its extension; `true` for extensions without a known signature. */
export function beginsRight(name: string, first: Uint8Array): boolean {
  const ending = endingOf(name);
  const known = Object.hasOwn(BEGINNINGS, ending) ? BEGINNINGS[ending] : undefined;
  if (known === undefined) return true;
  return known.some(([at, bytes]) => [...bytes].every((letter, i) => first[at + i] === letter.charCodeAt(0)));
}

/** A name that the realm accepts, with a readable stem: `my-duck-x7k2p1.glb`. */
export function storedName(name: string, unique: string, ending = endingOf(name)): string {
  const stem = name.replace(/\.[^.]*$/, "");
  const plain = stem
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, FILE_NAME_LENGTH_MAX);
  return `${plain === "" ? "file" : plain}-${unique}.${ending}`;
}

/** The name or address of a file's thumbnail, from the file's own name or address. */
export function pictureNameOf(name: string): string {
  return `${name}.webp`;
}

/** Whether a name is that of another file's thumbnail. */
export function isPictureName(name: string): boolean {
  return name.endsWith(".webp") && kindOf(name.slice(0, -".webp".length)) !== undefined;
}

/** The aspect ratio of a picture or video, and the address of a video's poster. */
export interface AspectAndPoster {
  readonly aspect?: number;
  readonly posterUrl?: string;
}

/** Width and height of a picture whose longer side has the default length. */
export function sizeOf(aspect = 1): { readonly width: number; readonly height: number } {
  const side = PICTURE_SIDE_M;
  const round = (metres: number): number => Math.round(metres * 1_000) / 1_000;
  return aspect >= 1 ? { width: side, height: round(side / aspect) } : { width: round(side * aspect), height: side };
}

/** The attributes of the object that shows a file, and the height of its centre. */
export function objectFor(
  kind: StandaloneFileKind,
  url: string,
  { objectId, media = {} }: { readonly objectId: string; readonly media?: AspectAndPoster },
): { readonly attributes: Attributes; readonly heightM: number } {
  const { aspect, posterUrl } = media;
  switch (kind) {
    case "model":
      return { attributes: { object_type: "gltf-model", url }, heightM: 0 };
    case "image":
      return { attributes: { object_type: "image", url, ...sizeOf(aspect) }, heightM: 1.4 };
    case "video": {
      const control = { video_path: url, video_object: objectId, anyone_clicks: true, video_loop: true };
      const poster = posterUrl === undefined ? {} : { frame_object: posterUrl };
      const material = { color: "#ffffff", shader: "flat", side: "double", ...(posterUrl && { src: posterUrl }) };
      const size = sizeOf(aspect ?? 16 / 9);
      const attributes = { object_type: "plane", ...size, material, "click-listener": true };
      return { attributes: { ...attributes, "video-control": { ...control, ...poster } }, heightM: 1.4 };
    }
    case "sound": {
      const sound = { src: url, on: "mousedown", positional: true };
      const material = { color: "#c98a2b" };
      return { attributes: { object_type: "sphere", radius: 0.15, material, sound }, heightM: 1.2 };
    }
    case "splat":
      return { attributes: { object_type: "gaussian_splatting", src: url }, heightM: 0 };
  }
}
