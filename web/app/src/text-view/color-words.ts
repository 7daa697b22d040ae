/** The word for a colour: the nearest of those that have one. Pure. */

const COLORS = {
  black: [15, 15, 15],
  white: [245, 245, 245],
  grey: [128, 128, 128],
  red: [205, 40, 40],
  orange: [240, 140, 40],
  yellow: [240, 220, 60],
  green: [50, 150, 70],
  turquoise: [60, 190, 190],
  blue: [50, 90, 200],
  purple: [125, 60, 170],
  pink: [240, 140, 180],
  brown: [125, 80, 45],
  beige: [220, 200, 165],
} as const;

/** A colour that has a word. */
export type ColorWord = keyof typeof COLORS;

const WORDS: readonly (readonly [ColorWord, readonly number[]])[] = [
  ["black", COLORS.black],
  ["white", COLORS.white],
  ["grey", COLORS.grey],
  ["red", COLORS.red],
  ["orange", COLORS.orange],
  ["yellow", COLORS.yellow],
  ["green", COLORS.green],
  ["turquoise", COLORS.turquoise],
  ["blue", COLORS.blue],
  ["purple", COLORS.purple],
  ["pink", COLORS.pink],
  ["brown", COLORS.brown],
  ["beige", COLORS.beige],
];

/** The word for `#rgb` or `#rrggbb`, or for one that is such a word already. */
export function colorWord(color: unknown): ColorWord | undefined {
  if (typeof color !== "string") return undefined;
  const named = WORDS.find(([word]) => word === color.trim().toLowerCase());
  if (named !== undefined) return named[0];
  const rgb = channelsOf(color.trim());
  if (rgb === undefined) return undefined;
  const far = (of: readonly number[]): number => of.reduce((sum, value, at) => sum + (value - (rgb[at] ?? 0)) ** 2, 0);
  return WORDS.reduce((best, one) => (far(one[1]) < far(best[1]) ? one : best), WORDS[0] ?? ["grey", COLORS.grey])[0];
}

function channelsOf(color: string): readonly number[] | undefined {
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  if (long !== null) return long.slice(1).map((channel) => Number.parseInt(channel, 16));
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(color);
  return short?.slice(1).map((channel) => Number.parseInt(channel + channel, 16));
}
