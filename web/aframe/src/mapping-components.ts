/** The components that any object may carry. What isn't in this table is kept by the client and not shown. */
import { groups } from "@stoa/client/generated";
import type { Settings } from "./mapping.ts";
import { defaultsOf, type Reader, read, readersOf } from "./readers.ts";
import { safeUrl } from "./safe-url.ts";
import { type Bag, bag, flag, text, xyz } from "./values.ts";

const landmarkReaders = readersOf("goto-landmark", groups["goto-landmark"]);
const urlReaders = readersOf("goto-url", groups["goto-url"], { url: safeUrl });
const shadowReaders = readersOf("shadow", groups.shadow);
const soundReaders = readersOf("sound", groups.sound);

/** ARENA's name → the component here, and how its settings are read; `undefined` leaves it out. */
const components: Readonly<Record<string, readonly [component: string, read: Reader]>> = {
  "click-listener": ["stoa-clickable", clickable],
  "goto-landmark": ["stoa-landmark", landmark],
  "goto-url": ["stoa-link", link],
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

function link(value: unknown, base: string): Bag | undefined {
  const settings = read(urlReaders, bag(value) ?? {}, base);
  return settings.url === undefined ? undefined : { ...defaultsOf(groups["goto-url"], ["dest", "on"]), ...settings };
}

function landmark(value: unknown, base: string): Bag | undefined {
  const settings = read(landmarkReaders, bag(value) ?? {}, base);
  if (settings.landmark === undefined || settings.landmark === "") return undefined;
  return { ...defaultsOf(groups["goto-landmark"], ["on"]), ...settings };
}

/** An object's id, a user's idTag, `camera`, or a point. */
function lookAt(value: unknown): Bag | undefined {
  const point = xyz(value);
  if (point && (bag(value) || /^[-\d\s.e+]+$/.test(String(value)))) return { target: "", point };
  const target = text(bag(value)?.target ?? value, 256)?.replace(/^#/, "");
  return target === undefined || target === "" ? undefined : { target };
}

function shadow(value: unknown, base: string): Bag | undefined {
  const group = bag(value);
  return group && { ...defaultsOf(groups.shadow, ["cast", "receive"]), ...read(shadowReaders, group, base) };
}

function sound(value: unknown, base: string): Bag | undefined {
  const settings = read(soundReaders, bag(value) ?? {}, base);
  if (settings.src === undefined) return undefined;
  const start = settings.autoplay === true ? {} : defaultsOf(groups.sound, ["on"]);
  return { ...start, ...settings, src: `url(${settings.src})` };
}
