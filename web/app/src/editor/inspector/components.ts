/** Lists the components that an object has or may get, with their initial values. Pure functions. */
import type { Attribute, Attributes, Group } from "@stoa/client";
import { groups, objectTypes } from "@stoa/client/generated";

/** Attributes that the inspector shows elsewhere, or that can't be edited by hand. */
const OWN_PLACE: readonly string[] = [
  "position",
  "rotation",
  "scale",
  "parent",
  "locked",
  "ttl",
  "buffer",
  "object_type",
];
/** Attributes that programs set, or that only other apps render: editing them here has no visible effect. */
const FOR_OTHERS: readonly string[] = [
  ...["armarker", "jitsi-video", "modelUpdate", "remote-render", "screenshareable", "skipCache", "submodel-parent"],
  "url",
];
/** The object types that support the attributes with an `x-carrier`. */
const CARRIERS: Readonly<Record<string, (type: string) => boolean>> = {
  entity: (type) => type === "entity",
  model: (type) => type === "gltf-model",
  surface: (type) => !NO_SURFACE.includes(type),
};
/** Object types without a surface of their own. */
const NO_SURFACE: readonly string[] = ["gltf-model", "gaussian_splatting", "light", "pcd-model", "text", "urdf-model"];

const anyObject: Group = groups["any-object"];
const types: Readonly<Record<string, Group>> = objectTypes;

/** The attributes of the object's own type. */
export function ownAttributes(type: unknown): readonly (readonly [string, Attribute])[] {
  const group = typeof type === "string" && Object.hasOwn(types, type) ? types[type] : undefined;
  const own = Object.entries(group?.attributes ?? {}).filter(([, attribute]) => attribute.deprecated !== true);
  const hasUrl = type === "gltf-model" || type === "image" || type === "obj-model";
  const url = hasUrl ? anyObject.attributes.url : undefined;
  return url === undefined || own.some(([name]) => name === "url") ? own : [["url", url], ...own];
}

/** The object's components. */
export function componentsOf(attributes: Attributes): readonly (readonly [string, Attribute])[] {
  const own = new Set(ownAttributes(attributes.object_type).map(([name]) => name));
  return Object.keys(attributes)
    .filter((name) => !own.has(name) && !OWN_PLACE.includes(name) && attributes[name] !== null)
    .flatMap((name) => {
      const attribute = componentNamed(name);
      return attribute === undefined ? [] : [[name, attribute] as const];
    })
    .sort(([a], [b]) => a.localeCompare(b));
}

/** The schema of a component; `animation__2` uses that of `animation`. */
function componentNamed(name: string): Attribute | undefined {
  if (Object.hasOwn(anyObject.attributes, name)) return anyObject.attributes[name];
  const prefix = Object.keys(anyObject.prefixes).find((start) => name.startsWith(start));
  return prefix === undefined ? undefined : anyObject.prefixes[prefix];
}

/** Names of the components that can be added to the object. */
export function addable(attributes: Attributes): readonly string[] {
  const type = String(attributes.object_type ?? "");
  const own = new Set(ownAttributes(type).map(([name]) => name));
  return Object.entries(anyObject.attributes)
    .filter(([, { carrier }]) => carrier === undefined || CARRIERS[carrier]?.(type) === true)
    .filter(([name, { deprecated }]) => deprecated !== true && !own.has(name) && !(name in attributes))
    .map(([name]) => name)
    .filter((name) => !OWN_PLACE.includes(name) && !FOR_OTHERS.includes(name))
    .sort();
}

/** Centred shapes with a level top, which people can sit on. */
const LEVEL: readonly string[] = ["box", "cylinder", "roundedbox"];

/**
 * The initial value of a component on an object: its `x-initial`, its default, `true` for a flag, or the defaults of
 * its required keys. A seat on a level shape begins at the shape's top.
 */
export function beginningOf(name: string, { object_type: type, height }: Attributes = {}): unknown {
  if (name === "seat" && typeof type === "string" && LEVEL.includes(type)) {
    const heightM = height ?? types[type]?.attributes.height?.default;
    if (typeof heightM === "number") return { offsetPosition: { x: 0, y: heightM / 2, z: 0 } };
  }
  const attribute = anyObject.attributes[name];
  if (attribute === undefined) return true;
  if (attribute.initial !== undefined) return attribute.initial;
  if (attribute.default !== undefined) return attribute.default;
  const shapes = attribute.shape.kind === "choice" ? attribute.shape.shapes : [attribute.shape];
  if (shapes.some(({ kind }) => kind === "boolean")) return true;
  const group = shapes.find((shape) => shape.kind === "group");
  if (group?.kind !== "group") return "";
  const filled = Object.entries(group.group.attributes).filter(
    ([, { default: value, required }]) => required && value !== undefined,
  );
  return Object.fromEntries(filled.map(([key, { default: value }]) => [key, value]));
}
