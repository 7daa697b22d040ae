/**
 * The components that any object may carry: the attributes with an `x-component` in `spec/objects/any-object.json`, and
 * `show-on-enter-vr` and `-ar`, which share one. `object-settings.ts` reads pose, shape, animation, model and physics.
 */

import type { Attribute } from "@stoa/client";
import { isSceneName } from "@stoa/client";
import { groups } from "@stoa/client/generated";
import { INPUT_TEXT_LENGTH_MAX, OPTIONS_MAX } from "../limits.ts";
import { fileOrRefused, safeUrl } from "../safe-url.ts";
import { bag, flag, type JsonObject, text, xyz } from "../values.ts";
import {
  type AttributeValueParser,
  defaultsOf,
  read,
  readersOf,
  type SettingsByComponent,
} from "./attribute-readers.ts";
import { particleSettings } from "./particles.ts";
import { controlSettings } from "./video.ts";

const landmarkReaders = readersOf("goto-landmark", groups["goto-landmark"]);
const urlReaders = readersOf("goto-url", groups["goto-url"], { url: safeUrl });
const portalReaders = readersOf("portal", groups.portal);
const seatReaders = readersOf("seat", groups.seat);
const clickReaders = readersOf("click-listener", groups["click-listener"]);
const inputReaders = readersOf("textinput", groups.textinput, {
  inputOptions: (value) => (Array.isArray(value) ? value.slice(0, OPTIONS_MAX).flatMap(optionTexts) : undefined),
  inputValue: caption,
  label: caption,
  placeholder: caption,
  title: caption,
});
const soundReaders = readersOf("sound", groups.sound, { src: fileOrRefused });

/**
 * Readers of attributes that need more than a group with defaults: values of another type, required settings, or
 * checks. A reader returns `undefined` to omit its component.
 */
const readers: Readonly<Record<string, AttributeValueParser>> = {
  "click-listener": clickable,
  "goto-landmark": landmark,
  "goto-url": link,
  "hide-on-enter-ar": marker,
  "hide-on-enter-vr": marker,
  "look-at": lookAt,
  portal,
  seat,
  sound,
  "spe-particles": particleSettings,
  textinput: textInput,
  "video-control": controlSettings,
};

/** For each component: the attribute's name, the A-Frame component, and the reader of the attribute. */
const components = Object.entries(groups["any-object"].attributes).flatMap(([key, attribute]) =>
  attribute.component === undefined
    ? []
    : [[key, attribute.component, readers[key] ?? groupReader(key, attribute)] as const],
);

/** Reads a group of settings, with the schema's defaults for absent ones. */
function groupReader(name: string, { shape }: Attribute): AttributeValueParser {
  if (shape.kind !== "group") throw new Error(`${name} is no group: its component needs a reader`);
  const readers = readersOf(name, shape.group);
  const defaults = defaultsOf(shape.group, Object.keys(readers));
  return (value, base) => {
    const group = bag(value);
    return group && { ...defaults, ...read(readers, group, base) };
  };
}

/** The settings of all components that the object carries. */
export function componentSettings(attributes: JsonObject, base: string): SettingsByComponent {
  const settings: Record<string, unknown> = {};
  for (const [key, component, read] of components) {
    const value = attributes[key];
    const parsed = value === undefined || value === null ? undefined : read(value, base);
    if (parsed !== undefined) settings[component] = parsed;
  }
  const [vr, ar] = ["vr", "ar"].map((mode) => marker(attributes[`show-on-enter-${mode}`]) === "");
  if (vr || ar) settings["stoa-only-in"] = { vr, ar };
  // As in ARENA's page, an object that opens a form or link emits no click events.
  const silent = "stoa-link" in settings || "stoa-text-input" in settings;
  const click = bag(settings["stoa-clickable"]);
  if (silent && click) settings["stoa-clickable"] = { ...click, silent };
  return settings;
}

/** Reads a click listener: `true`, `""` or `{enabled, bubble}`. */
function clickable(value: unknown): JsonObject | undefined {
  const { enabled = true, bubble = true } = read(clickReaders, bag(value) ?? {}, "");
  const on = value === "" ? true : (flag(value) ?? (bag(value) !== undefined && enabled));
  return on ? { bubble } : undefined;
}

/** A text of a form, cut to the length that ARENA shows. */
function caption(value: unknown): string | undefined {
  return text(value, INPUT_TEXT_LENGTH_MAX);
}

/** The text in a list; an empty list for another type. */
function optionTexts(value: unknown): readonly string[] {
  const found = caption(value);
  return found === undefined ? [] : [found];
}

function textInput(value: unknown, base: string): JsonObject | undefined {
  const group = bag(value);
  return group && { ...defaultsOf(groups.textinput, Object.keys(inputReaders)), ...read(inputReaders, group, base) };
}

function marker(value: unknown): unknown {
  return value === "" || flag(value) === true ? "" : undefined;
}

function link(value: unknown, base: string): JsonObject | undefined {
  const settings = read(urlReaders, bag(value) ?? {}, base);
  return settings.url === undefined ? undefined : { ...defaultsOf(groups["goto-url"], ["dest", "on"]), ...settings };
}

function landmark(value: unknown, base: string): JsonObject | undefined {
  const settings = read(landmarkReaders, bag(value) ?? {}, base);
  if (settings.landmark === undefined || settings.landmark === "") return undefined;
  return { ...defaultsOf(groups["goto-landmark"], ["on"]), ...settings };
}

/** Reads a portal, which leads to scenes of this realm only; `undefined` without a valid scene name. */
function portal(value: unknown, base: string): JsonObject | undefined {
  const settings = read(portalReaders, bag(value) ?? {}, base);
  const { scene } = settings;
  return typeof scene === "string" && isSceneName(scene)
    ? { ...defaultsOf(groups.portal, ["landmark", "radius"]), ...settings }
    : undefined;
}

/** Reads a seat: `true`, or a group of settings, none of which is required. */
function seat(value: unknown, base: string): JsonObject | undefined {
  const own = flag(value) === true ? {} : bag(value);
  if (own === undefined) return undefined;
  const { offsetPosition: offset, facing } = {
    ...defaultsOf(groups.seat, ["offsetPosition", "facing"]),
    ...read(seatReaders, own, base),
  };
  return { offset, facing };
}

/** Reads the target of `look-at`: an object's id, a user's idTag, `camera`, or a point. */
function lookAt(value: unknown): JsonObject | undefined {
  const point = xyz(value);
  if (point && (bag(value) || /^[-\d\s.e+]+$/.test(String(value)))) return { target: "", point };
  const target = text(bag(value)?.target ?? value, 256)?.replace(/^#/, "");
  return target === undefined || target === "" ? undefined : { target };
}

function sound(value: unknown, base: string): JsonObject | undefined {
  const settings = read(soundReaders, bag(value) ?? {}, base);
  if (settings.src === undefined) return undefined;
  const start = settings.autoplay === true ? {} : defaultsOf(groups.sound, ["on"]);
  const { src, on = "", ...others } = { ...start, ...settings };
  return { src, on, sound: JSON.stringify(others) };
}
