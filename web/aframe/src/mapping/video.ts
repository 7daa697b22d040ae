/**
 * Maps videos to the settings of `stoa-video`: as a texture, as a sphere around the scene, or with a control object.
 */
import { groups, objectTypes } from "@stoa/client/generated";
import { fileOrRefused, isRefused } from "../safe-url.ts";
import { bag, type JsonObject } from "../values.ts";
import { defaultsOf, read, readersOf } from "./attribute-readers.ts";
import { geometrySettings } from "./geometry.ts";

const controlReaders = readersOf("video-control", groups["video-control"], { video_path: fileOrRefused });
const controlDefaults = defaultsOf(groups["video-control"], Object.keys(controlReaders));
const { src: _src, ...sphereReaders } = readersOf("videosphere", objectTypes.videosphere);
const sphereDefaults = defaultsOf(objectTypes.videosphere, ["autoplay", "color", "loop", "radius"]);

/** File extensions of videos: asking the server for each picture's type would cost a request. */
const FILM = /\.(mp4|m4v|webm|ogv|mov)$/i;

/** Whether a checked URL names a video. */
function isFilm(url: unknown): boolean {
  return typeof url === "string" && !isRefused(url) && URL.canParse(url) && FILM.test(new URL(url).pathname);
}

/** Moves a video out of a material into `stoa-video`. The video loops and plays automatically, as in A-Frame. */
export function filmOn(material: JsonObject): Readonly<Record<string, unknown>> {
  if (!isFilm(material.src)) return { material };
  const { src, ...others } = material;
  return { material: others, "stoa-video": { src, autoplay: true, loop: true } };
}

/** The settings of a 360° video, viewed from inside. */
export function sphereSettings(attributes: JsonObject, base: string): JsonObject {
  const { autoplay, loop, color, ...shape } = { ...sphereDefaults, ...read(sphereReaders, attributes, base) };
  const src = fileOrRefused(attributes.src ?? attributes.url, base);
  const material = { color: color ?? "#FFF", shader: "flat", side: "back", fog: false };
  const geometry = geometrySettings("sphere", shape, base);
  return {
    geometry,
    material,
    ...(src === undefined ? {} : { "stoa-video": { src, autoplay, loop, mirrored: true } }),
  };
}

/** `video-control`: presses on this object start and pause a video on the named object. */
export function controlSettings(value: unknown, base: string): JsonObject | undefined {
  const own = read(controlReaders, bag(value) ?? {}, base);
  const { video_path: src, video_object: player = "", frame_object: frame = "", ...rest } = own;
  if (src === undefined) return undefined;
  const { anyone_clicks: anyone, video_loop: loop, autoplay, volume } = { ...controlDefaults, ...rest };
  return { src, player, frame, anyone, loop, autoplay, volume, pressed: true };
}
