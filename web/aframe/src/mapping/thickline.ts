/** Maps a `thickline` object's path, width and profile to the settings of `stoa-thickline`. */
import { objectTypes } from "@stoa/client/generated";
import { PATH_POINTS_MAX } from "../limits.ts";
import { type JsonObject, text, xyz } from "../values.ts";
import { defaultsOf, read, readersOf } from "./attribute-readers.ts";

const { path: _path, ...readers } = readersOf("thickline", objectTypes.thickline);
const defaults = defaultsOf(objectTypes.thickline, [
  "color",
  "lineWidth",
  "lineWidthStyler",
  "path",
  "sizeAttenuation",
]);

/** The settings of `stoa-thickline`. */
export function pathSettings(attributes: JsonObject, base: string): JsonObject {
  const path = text(attributes.path ?? defaults.path, PATH_POINTS_MAX * 64) ?? "";
  const points = path.split(",", PATH_POINTS_MAX).flatMap((part) => xyz(part, Number.NaN) ?? []);
  const all: JsonObject = { ...defaults, ...read(readers, attributes, base) };
  const { color, lineWidth: width, lineWidthStyler: styler, sizeAttenuation: inSpace } = all;
  return { points, color, width, styler, inSpace };
}
