/** Maps `animation` and `animation__<name>` to A-Frame's settings. Only listed properties may be animated. */
import { groups } from "@stoa/client/generated";
import { NUMBER_MAX } from "../limits.ts";
import { bag, flag, type JsonObject, oneOf, text, within } from "../values.ts";
import { read, readersOf, type SettingsByComponent } from "./attribute-readers.ts";

/** Properties that may be animated; never an event handler, source or markup. */
const PROPERTY =
  /^(position|rotation|scale|visible|color|opacity|(material|components\.material\.material)\.(color|opacity|emissive|emissiveIntensity|metalness|roughness)|light\.(color|intensity)|geometry\.[a-zA-Z]+|text\.(color|opacity)|object3D\.(position|rotation|scale)(\.[xyz])?)$/;
const EVENT = /^[a-zA-Z0-9_-]{1,40}$/;

const readers = readersOf("animation", groups.animation, {
  from: end,
  loop: (value) => flag(value) ?? within(value, 0, NUMBER_MAX),
  pauseEvents: events,
  property: (value) => (typeof value === "string" && PROPERTY.test(value) ? value : undefined),
  resumeEvents: events,
  startEvents: events,
  to: end,
  type: (value) => oneOf(value, ["color"]),
});

/** All animations of an object. */
export function animationSettings(attributes: JsonObject, base: string): SettingsByComponent {
  const settings: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(attributes)) {
    if (!/^animation(__[A-Za-z0-9_.-]{1,60})?$/.test(key)) continue;
    const animation = read(readers, bag(value) ?? {}, base);
    if (animation.property !== undefined) settings[key] = animation;
  }
  return settings;
}

/** The start or end of an animation: a number, a boolean, a colour, a point or a list of numbers. */
function end(value: unknown): unknown {
  const point = bag(value);
  const words = point ? `${point.x ?? 0} ${point.y ?? 0} ${point.z ?? 0}` : text(value, 100);
  return words !== undefined && /^[#\w\s.,()+-]*$/.test(words) ? words : flag(value);
}

function events(value: unknown): string[] | undefined {
  const list = typeof value === "string" ? value.split(/[,\s]+/) : value;
  if (!Array.isArray(list)) return undefined;
  return list.filter((name): name is string => typeof name === "string" && EVENT.test(name)).slice(0, 16);
}
