/** Maps a text object to the settings of A-Frame's `text`. */
import { objectTypes } from "@stoa/client/generated";
import { fontOf } from "../assets/fonts.ts";
import { type JsonObject, text } from "../values.ts";
import { defaultsOf, read, readersOf } from "./attribute-readers.ts";

const { font: _font, text: _text, ...readers } = readersOf("text", objectTypes.text);
const defaults = defaultsOf(objectTypes.text, ["side", "width"]);

/** The settings of `text`. The font is always one of the realm's, drawn by A-Frame's shader `sdf`. */
export function textSettings(attributes: JsonObject, base: string): JsonObject {
  const { metrics, atlas } = fontOf(attributes.font);
  const value = text(attributes.value ?? attributes.text) ?? "";
  return { font: metrics, fontImage: atlas, shader: "sdf", ...defaults, ...read(readers, attributes, base), value };
}
