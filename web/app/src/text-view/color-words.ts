/** Names a colour by its hue, unless it is too dull, dark or light to have one. Pure functions. */

const COLOR_WORDS = [
  ...["black", "white", "grey", "red", "orange", "yellow", "green", "turquoise", "blue", "purple", "pink"],
  ...["brown", "beige"],
] as const;

export type ColorName = (typeof COLOR_WORDS)[number];

/** A colour in OKLCH: lightness (0 to 1), chroma (0 to about 0.3) and hue (degrees, red is 29). */
interface OklchColor {
  readonly light: number;
  readonly chroma: number;
  readonly hueDeg: number;
}

/** The word for `#rgb` or `#rrggbb`, or for a colour that is already given as such a word. */
export function colorWord(color: unknown): ColorName | undefined {
  if (typeof color !== "string") return undefined;
  const tidy = color.trim().toLowerCase();
  const named = COLOR_WORDS.find((word) => word === tidy);
  if (named !== undefined) return named;
  const rgb = channelsOf(tidy);
  return rgb && wordFor(lookOf(rgb));
}

function wordFor(look: OklchColor): ColorName {
  const { light, chroma, hueDeg } = look;
  if (light < 0.2) return "black";
  if (chroma < 0.035 || (light < 0.35 && chroma < 0.04)) return greyWord(light);
  if (hueDeg < 33 || hueDeg >= 345) return redWord(look);
  if (hueDeg < 78) return orangeWord(look);
  if (hueDeg < 115) return yellowWord(look);
  if (hueDeg < 170) return "green";
  if (hueDeg < 205) return "turquoise";
  if (hueDeg < 280) return "blue";
  return hueDeg < 325 ? "purple" : pinkOr("purple", light);
}

function greyWord(light: number): ColorName {
  if (light < 0.35) return "black";
  return light > 0.9 ? "white" : "grey";
}

function redWord({ light, chroma, hueDeg }: OklchColor): ColorName {
  if (hueDeg >= 345) return pinkOr("purple", light);
  if (light >= 0.74) return "pink";
  return chroma < 0.08 ? pinkOr("brown", light) : "red";
}

/** The word for an orange hue: dark or dull orange is brown, light and dull orange is beige. */
function orangeWord({ light, chroma, hueDeg }: OklchColor): ColorName {
  if (light >= 0.78 && chroma < 0.09) return "beige";
  if (light >= 0.6 && chroma >= 0.1) return "orange";
  return chroma >= 0.17 && hueDeg < 45 ? "red" : "brown";
}

/** The word for a yellow hue: dark yellow is brown towards red, and green (olive) towards green. */
function yellowWord({ light, chroma, hueDeg }: OklchColor): ColorName {
  if (light >= 0.7 && chroma < 0.08) return "beige";
  if (light >= 0.65 && chroma >= 0.08) return "yellow";
  return hueDeg < 100 ? "brown" : "green";
}

function pinkOr(word: ColorName, light: number): ColorName {
  return light >= 0.55 ? "pink" : word;
}

/**
 * Converts sRGB to OKLCH. Source: Björn Ottosson, "A perceptual color space for image processing" (OKLab), in polar
 * form.
 */
function lookOf(rgb: readonly number[]): OklchColor {
  const [r = 0, g = 0, b = 0] = rgb.map((channel) => {
    const share = channel / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const long = Math.cbrt(0.412_221_47 * r + 0.536_332_54 * g + 0.051_445_99 * b);
  const medium = Math.cbrt(0.211_903_5 * r + 0.680_699_55 * g + 0.107_396_96 * b);
  const short = Math.cbrt(0.088_302_46 * r + 0.281_718_84 * g + 0.629_978_7 * b);
  const light = 0.210_454_26 * long + 0.793_617_79 * medium - 0.004_072_05 * short;
  const redness = 1.977_998_5 * long - 2.428_592_21 * medium + 0.450_593_71 * short;
  const yellowness = 0.025_904_04 * long + 0.782_771_77 * medium - 0.808_675_77 * short;
  const turn = (Math.atan2(yellowness, redness) * 180) / Math.PI;
  return { light, chroma: Math.hypot(redness, yellowness), hueDeg: turn < 0 ? turn + 360 : turn };
}

function channelsOf(color: string): readonly number[] | undefined {
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(color);
  if (long !== null) return long.slice(1).map((channel) => Number.parseInt(channel, 16));
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(color);
  return short?.slice(1).map((channel) => Number.parseInt(channel + channel, 16));
}
