/** The components that any object may carry. What isn't in this table is kept by the client and not shown. */
import type { Settings } from "./mapping.ts";
import { safeUrl } from "./safe-url.ts";
import { type Bag, bag, flag, oneOf, text, within, xyz } from "./values.ts";

type Reader = (value: unknown, base: string) => unknown;

const PRESSES = ["mousedown", "mouseup"] as const;
const SOUND_EVENTS = [...PRESSES, "mouseenter", "mouseleave"] as const;

/** ARENA's name → the component here, and how its settings are read; `undefined` leaves it out. */
const components: Readonly<Record<string, readonly [component: string, read: Reader]>> = {
  "click-listener": ["stoa-clickable", clickable],
  "goto-landmark": ["stoa-landmark", (value) => link(value, text(bag(value)?.landmark, 256), "landmark")],
  "goto-url": ["stoa-link", (value, base) => link(value, safeUrl(bag(value)?.url, base), "url")],
  "hide-on-enter-ar": ["hide-on-enter-ar", marker],
  "hide-on-enter-vr": ["hide-on-enter-vr", marker],
  "look-at": ["stoa-look-at", lookAt],
  shadow: ["shadow", shadow],
  sound: ["sound", sound],
};

/** The settings of all components of the table that the object carries. */
export function componentSettings(attributes: Bag, base: string): Settings {
  const settings: Record<string, unknown> = {};
  for (const [key, [component, read]] of Object.entries(components)) {
    const value = attributes[key];
    const parsed = value === undefined || value === null ? undefined : read(value, base);
    if (parsed !== undefined) settings[component] = parsed;
  }
  return settings;
}

/** `true`, `""` or `{enabled, bubble}`. */
function clickable(value: unknown): Bag | undefined {
  const enabled = value === "" ? true : (flag(value) ?? (bag(value) ? (flag(bag(value)?.enabled) ?? true) : false));
  return enabled ? {} : undefined;
}

function marker(value: unknown): unknown {
  return value === "" || flag(value) === true ? "" : undefined;
}

function link(value: unknown, target: string | undefined, key: "url" | "landmark"): Bag | undefined {
  if (target === undefined || target === "") return undefined;
  const group = bag(value);
  const on = oneOf(group?.on, PRESSES) ?? "mousedown";
  if (key === "landmark") return { landmark: target, on };
  return { url: target, on, dest: oneOf(group?.dest, ["popup", "newtab", "sametab"] as const) ?? "sametab" };
}

/** An object's id, a user's idTag, `camera`, or a point. */
function lookAt(value: unknown): Bag | undefined {
  const point = xyz(value);
  if (point && (bag(value) || /^[-\d\s.e+]+$/.test(String(value)))) return { target: "", point };
  const target = text(bag(value)?.target ?? value, 256)?.replace(/^#/, "");
  return target === undefined || target === "" ? undefined : { target };
}

function shadow(value: unknown): Bag | undefined {
  const group = bag(value);
  if (!group) return undefined;
  return { cast: flag(group.cast) ?? false, receive: flag(group.receive) ?? false };
}

function sound(value: unknown, base: string): Bag | undefined {
  const group = bag(value);
  const url = safeUrl(group?.src, base);
  if (!group || url === undefined) return undefined;
  const settings: Record<string, unknown> = {
    src: `url(${url})`,
    autoplay: flag(group.autoplay),
    distanceModel: oneOf(group.distanceModel, ["linear", "inverse", "exponential"]),
    loop: flag(group.loop),
    maxDistance: within(group.maxDistance, 0, 100_000),
    on: oneOf(group.on, SOUND_EVENTS) ?? (flag(group.autoplay) ? undefined : "mousedown"),
    poolSize: within(group.poolSize, 1, 8),
    positional: flag(group.positional),
    refDistance: within(group.refDistance, 0, 10_000),
    rolloffFactor: within(group.rolloffFactor, 0, 1_000),
    volume: within(group.volume, 0, 1),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, setting]) => setting !== undefined));
}
