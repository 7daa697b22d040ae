/** The text object. */
import { fontOf } from "./fonts.ts";
import { type Bag, color, finite, oneOf, text, within } from "./values.ts";

type Reader = (value: unknown) => unknown;

/** Metres of a line of 40 characters where nothing is said: readable from a few metres. */
const WIDTH_M = 5;

const readers: Readonly<Record<string, Reader>> = {
  align: (value) => oneOf(value, ["left", "center", "right"]),
  alphaTest: (value) => within(value, 0, 1),
  anchor: (value) => oneOf(value, ["left", "right", "center", "align"]),
  baseline: (value) => oneOf(value, ["top", "center", "bottom"]),
  color,
  height: (value) => within(value, 0, 1_000),
  letterSpacing: finite,
  lineHeight: finite,
  opacity: (value) => within(value, 0, 1),
  side: (value) => oneOf(value, ["front", "back", "double"]),
  tabSize: (value) => within(value, 0, 64),
  whiteSpace: (value) => oneOf(value, ["normal", "pre", "nowrap"]),
  width: (value) => within(value, 0, 1_000),
  wrapCount: (value) => within(value, 1, 1_000),
  xOffset: finite,
  zOffset: finite,
};

/** The settings of `text`: the font is one of the realm's own, whatever the name. */
export function textSettings(attributes: Bag): Bag {
  const font = fontOf(attributes.font);
  const settings: Record<string, unknown> = {
    value: text(attributes.value ?? attributes.text) ?? "",
    font: font.metrics,
    fontImage: font.atlas,
    shader: "sdf",
    side: "double",
    width: WIDTH_M,
  };
  for (const [key, read] of Object.entries(readers)) {
    const value = read(attributes[key]);
    if (value !== undefined) settings[key] = value;
  }
  return settings;
}
