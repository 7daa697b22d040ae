/** Finds an object's main file, which the object shows or plays, and the change that sets another. Pure functions. */
import type { Attributes } from "@stoa/client";
import { isBag } from "../objects/object-fields.ts";
import type { AspectAndPoster, StandaloneFileKind } from "./file-kinds.ts";

/** How an object uses its file. A `surface` is a board, wall or other body with a picture or video on it. */
export type MainFileKind = "model" | "picture" | "surface" | "panorama" | "sound" | "splat";

/** The file that replaces an object's main file. */
export interface MainFileReplacement {
  readonly kind: StandaloneFileKind;
  /** Empty for none. */
  readonly url: string;
  readonly media?: AspectAndPoster;
}

export interface MainFileSlot {
  readonly kind: MainFileKind;
  /** The attribute with the file's address; `undefined` if the address is nested in other attributes. */
  readonly key?: string;
  /** Kinds of files that the object accepts. */
  readonly takes: readonly StandaloneFileKind[];
  /** The current address; empty for none. */
  readonly url: string;
  /** The change that sets another file. */
  readonly patch: (file: MainFileReplacement) => Attributes;
}

/** Shapes whose surface a picture is drawn on. */
const SURFACES: readonly unknown[] = ["box", "circle", "cube", "cylinder", "plane", "roundedbox", "sphere"];

/** The object's slot for a main file, which may be empty; `undefined` if the object can't show or play one. */
export function mainFile(objectId: string, attributes: Attributes): MainFileSlot | undefined {
  const { object_type: type, portal, sound } = attributes;
  switch (type) {
    case "gltf-model":
      return plain("model", ["model"], attributes, "url");
    case "gaussian_splatting":
      return plain("splat", ["splat"], attributes, "src");
    case "videosphere":
      return plain("panorama", ["video"], attributes, "src");
    case "image":
      return picture(attributes);
    default:
      if (isBag(sound)) return soundOf(sound);
      // A portal's main property is its target, not a picture.
      return SURFACES.includes(type) && !isBag(portal) ? surface(objectId, attributes) : undefined;
  }
}

/** A file in the attribute `src` or `url`. The change also clears the other one, which some clients write. */
function plain(
  kind: MainFileKind,
  takes: readonly StandaloneFileKind[],
  attributes: Attributes,
  key: "src" | "url",
): MainFileSlot {
  const other = key === "src" ? "url" : "src";
  const also = attributes[other] === undefined ? {} : { [other]: null };
  const url = textOf(attributes[key] ?? attributes[other]);
  return { kind, key, takes, url, patch: (file) => ({ [key]: orNull(file.url), ...also }) };
}

/** The file of an image object, which keeps its width; the height follows the file's aspect ratio. */
function picture(attributes: Attributes): MainFileSlot {
  const one = plain("picture", ["image"], attributes, "url");
  const width = typeof attributes.width === "number" ? attributes.width : 1;
  const sized = (aspect?: number): Attributes =>
    aspect === undefined ? {} : { width, height: Math.round((width / aspect) * 1_000) / 1_000 };
  return { ...one, patch: (file) => ({ ...one.patch(file), ...sized(file.media?.aspect) }) };
}

function soundOf(sound: Attributes): MainFileSlot {
  const url = textOf(sound.src);
  return { kind: "sound", takes: ["sound"], url, patch: (file) => ({ sound: { src: file.url } }) };
}

/** The picture or video on a surface. A video starts on a press, like a dropped one. */
function surface(objectId: string, attributes: Attributes): MainFileSlot {
  const { material, "video-control": control } = attributes;
  const film = isBag(control) ? textOf(control.video_path) : "";
  const painted = isBag(material) ? textOf(material.src) : "";
  // The first picture or video sets the body's colour to white, so that it is shown in its own colours.
  const white = painted === "" && film === "" ? { color: "#ffffff" } : {};
  const without = film === "" ? {} : { "video-control": null };
  const patch = ({ kind, url, media }: MainFileReplacement): Attributes => {
    if (kind !== "video" || url === "")
      return { material: { src: orNull(url), ...(url === "" ? {} : white) }, ...without };
    const poster = media?.posterUrl;
    return {
      material: { src: poster ?? null, ...white },
      "click-listener": true,
      "video-control": {
        ...{ video_path: url, video_object: objectId, anyone_clicks: true, video_loop: true },
        frame_object: poster ?? null,
      },
    };
  };
  return { kind: "surface", takes: ["image", "video"], url: film === "" ? painted : film, patch };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The address for a change; an empty one becomes `null`, which removes the attribute. */
function orNull(url: string): string | null {
  return url === "" ? null : url;
}
