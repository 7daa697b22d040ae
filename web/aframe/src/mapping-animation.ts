/** `animation` and `animation__<name>`: which properties may move, and how. */
import type { Settings } from "./mapping.ts";
import { type Bag, bag, flag, oneOf, text, within } from "./values.ts";

/** What may be animated: never a handler, a source or markup. */
const PROPERTY =
  /^(position|rotation|scale|visible|color|opacity|(material|components\.material\.material)\.(color|opacity|emissive|emissiveIntensity|metalness|roughness)|light\.(color|intensity)|geometry\.[a-zA-Z]+|text\.(color|opacity)|object3D\.(position|rotation|scale)(\.[xyz])?)$/;
const EASING = /^(linear|ease(In|Out|InOut)(Quad|Cubic|Quart|Quint|Sine|Expo|Circ|Back|Elastic))$/;
const EVENT = /^[a-zA-Z0-9_-]{1,40}$/;
const HOUR_MS = 3_600_000;

type Reader = (value: unknown) => unknown;

const readers: Readonly<Record<string, Reader>> = {
  autoplay: flag,
  delay: (value) => within(value, 0, HOUR_MS),
  dir: (value) => oneOf(value, ["normal", "alternate", "reverse"]),
  dur: (value) => within(value, 1, HOUR_MS),
  easing: (value) => (typeof value === "string" && EASING.test(value) ? value : undefined),
  elasticity: (value) => within(value, 0, 1_000),
  enabled: flag,
  from: end,
  loop: (value) => flag(value) ?? within(value, 0, 1e9),
  pauseEvents: events,
  resumeEvents: events,
  round: flag,
  startEvents: events,
  to: end,
  type: (value) => oneOf(value, ["color"]),
};

/** All animations of an object. */
export function animationSettings(attributes: Bag): Settings {
  const settings: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(attributes)) {
    const animation = /^animation(__[A-Za-z0-9_.-]{1,60})?$/.test(key) ? animationOf(bag(value)) : undefined;
    if (animation) settings[key] = animation;
  }
  return settings;
}

function animationOf(value: Bag | undefined): Bag | undefined {
  const property = text(value?.property);
  if (!value || property === undefined || !PROPERTY.test(property)) return undefined;
  const settings: Record<string, unknown> = { property };
  for (const [key, read] of Object.entries(readers)) {
    const read_value = read(value[key]);
    if (read_value !== undefined) settings[key] = read_value;
  }
  return settings;
}

/** Where a movement begins or ends: a number, a colour, or numbers in a row. */
function end(value: unknown): string | undefined {
  const point = bag(value);
  const words = point ? `${point.x ?? 0} ${point.y ?? 0} ${point.z ?? 0}` : text(value, 100);
  return words !== undefined && /^[#\w\s.,()+-]*$/.test(words) ? words : undefined;
}

function events(value: unknown): string[] | undefined {
  const list = typeof value === "string" ? value.split(/[,\s]+/) : value;
  if (!Array.isArray(list)) return undefined;
  return list.filter((name): name is string => typeof name === "string" && EVENT.test(name)).slice(0, 16);
}
