/** The file that an object shows or plays: what people look for first of it. Pure. */
import type { Attributes } from "@stoa/client";
import { isBag } from "../objects/object-fields.ts";
import type { Showing, ShownKind } from "./file-kinds.ts";

/** What an object does with its file: `surface` is a board, a wall, any body that a picture or a video lies on. */
export type MainFileKind = "model" | "picture" | "surface" | "panorama" | "sound" | "splat";

/** A file that is to be shown. */
export interface ChosenFile {
  readonly kind: ShownKind;
  /** Empty: none. */
  readonly url: string;
  readonly showing?: Showing;
}

/** The file of one object. */
export interface MainFile {
  readonly kind: MainFileKind;
  /** The attribute that names it; `undefined`: it is within others. */
  readonly key?: string;
  /** What can be chosen for it. */
  readonly takes: readonly ShownKind[];
  /** The address of the one that it has now; empty: none. */
  readonly url: string;
  /** The change that gives it another one. */
  readonly patch: (file: ChosenFile) => Attributes;
}

/** Bodies that a picture lies on as it is. */
const SURFACES: readonly unknown[] = ["box", "circle", "cube", "cylinder", "plane", "roundedbox", "sphere"];

/** The file that an object is there for; `undefined` where it is there for something else. */
export function mainFile(objectId: string, attributes: Attributes): MainFile | undefined {
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
      // Whoever chooses a doorway looks for where it leads.
      return SURFACES.includes(type) && !isBag(portal) ? surface(objectId, attributes) : undefined;
  }
}

/** One attribute, and the other one of the two that clients write for it. */
function plain(kind: MainFileKind, takes: readonly ShownKind[], attributes: Attributes, key: "src" | "url"): MainFile {
  const other = key === "src" ? "url" : "src";
  const also = attributes[other] === undefined ? {} : { [other]: null };
  const url = textOf(attributes[key] ?? attributes[other]);
  return { kind, key, takes, url, patch: (file) => ({ [key]: orNull(file.url), ...also }) };
}

/** It stays as wide as it is, and gets as high as the picture wants. */
function picture(attributes: Attributes): MainFile {
  const one = plain("picture", ["image"], attributes, "url");
  const width = typeof attributes.width === "number" ? attributes.width : 1;
  const sized = (aspect?: number): Attributes =>
    aspect === undefined ? {} : { width, height: Math.round((width / aspect) * 1_000) / 1_000 };
  return { ...one, patch: (file) => ({ ...one.patch(file), ...sized(file.showing?.aspect) }) };
}

function soundOf(sound: Attributes): MainFile {
  const url = textOf(sound.src);
  return { kind: "sound", takes: ["sound"], url, patch: (file) => ({ sound: { src: file.url } }) };
}

/** A film on it is begun by a press, as one that was dropped into the scene. */
function surface(objectId: string, attributes: Attributes): MainFile {
  const { material, "video-control": control } = attributes;
  const film = isBag(control) ? textOf(control.video_path) : "";
  const painted = isBag(material) ? textOf(material.src) : "";
  // A first picture has its own colours, whatever the body had.
  const white = painted === "" && film === "" ? { color: "#ffffff" } : {};
  const without = film === "" ? {} : { "video-control": null };
  const patch = ({ kind, url, showing }: ChosenFile): Attributes => {
    if (kind !== "video" || url === "")
      return { material: { src: orNull(url), ...(url === "" ? {} : white) }, ...without };
    const poster = showing?.posterUrl;
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

/** An empty address takes it away. */
function orNull(url: string): string | null {
  return url === "" ? null : url;
}
