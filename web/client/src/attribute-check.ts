/**
 * Checks attribute values by the schemas of `spec/objects/`, for editors and pages. The tables are in `generated/`.
 * The check changes no value. Rust and Python have the same check; `spec/vectors/objects/` tests all three.
 */

/** The allowed values of an attribute. A `choice` accepts any of its shapes, each of another JSON type. */
export type Shape =
  | { readonly kind: "any" | "boolean" | "object" }
  | { readonly kind: "text"; readonly values?: readonly string[] }
  | { readonly kind: "number" | "integer"; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: "array"; readonly items: Shape }
  | { readonly kind: "group"; readonly group: Group }
  | { readonly kind: "choice"; readonly shapes: readonly Shape[] };

/** One attribute. `format`, either `color` or `uri-reference`, selects its field in a form. */
export interface Attribute {
  readonly shape: Shape;
  readonly default?: unknown;
  readonly unit?: string;
  readonly format?: string;
  readonly required?: true;
  readonly deprecated?: true;
  /** The A-Frame component that shows the attribute. */
  readonly component?: string;
  /** The objects on which the attribute has an effect; all objects if absent. */
  readonly carrier?: string;
  /** The value with which the editor adds the attribute, where that is not the default. */
  readonly initial?: unknown;
  /** The maximum that a page draws, lower than the schema's: a larger value freezes a page. */
  readonly cap?: number;
  /** The value is the id of another object. */
  readonly reference?: true;
}

/** The attributes of one schema. `prefixes` describes keys by their prefix; `base` adds another schema's attributes. */
export interface Group {
  readonly base?: Group;
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly prefixes: Readonly<Record<string, Attribute>>;
}

/** A violation of a schema. `path` leads to the value, such as `material.opacity` or `buttons.0.size`. */
export interface Violation {
  readonly path: string;
  readonly reason: "wrong type" | "not allowed" | "out of range" | "unknown object type";
}

type ViolationReason = Violation["reason"];

/** Finds the first value that breaks the table of its `object_type`. */
export function findWrongObject(types: Readonly<Record<string, Group>>, value: unknown): Violation | undefined {
  if (!isRecord(value)) {
    return { path: "", reason: "wrong type" };
  }
  const type = value.object_type;
  if (typeof type !== "string") {
    return { path: "object_type", reason: "wrong type" };
  }
  const group = own(types, type);
  return group === undefined ? { path: "object_type", reason: "unknown object type" } : findWrong(group, value);
}

/** Finds the first value that breaks the table. `null`, unknown keys and absent keys are allowed. */
export function findWrong(group: Group, value: unknown): Violation | undefined {
  if (!isRecord(value)) {
    return { path: "", reason: "wrong type" };
  }
  for (const [key, member] of Object.entries(value)) {
    const attribute = member === null ? undefined : findAttribute(group, key);
    const violation = attribute === undefined ? undefined : checkValue(attribute.shape, member);
    if (violation !== undefined) {
      return prefixed(key, violation);
    }
  }
  return undefined;
}

/** Finds the attribute of a key: by its name, by its prefix, or in the base group. */
export function findAttribute(group: Group, key: string): Attribute | undefined {
  const attribute = own(group.attributes, key);
  if (attribute !== undefined) {
    return attribute;
  }
  const prefix = Object.keys(group.prefixes).find((name) => key.startsWith(name));
  if (prefix !== undefined) {
    return group.prefixes[prefix];
  }
  return group.base === undefined ? undefined : findAttribute(group.base, key);
}

/** A copy of the value without `null` members at any depth. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutNulls);
  }
  if (!isRecord(value)) {
    return value;
  }
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutNulls(member)]));
}

function checkValue(shape: Shape, value: unknown): Violation | undefined {
  if (shape.kind === "choice") {
    const fitting = shape.shapes.find((candidate) => hasTypeOf(candidate, value));
    return fitting === undefined ? { path: "", reason: "wrong type" } : checkValue(fitting, value);
  }
  if (!hasTypeOf(shape, value)) {
    return { path: "", reason: "wrong type" };
  }
  if (shape.kind === "group") {
    return findWrong(shape.group, value);
  }
  if (shape.kind === "array" && Array.isArray(value)) {
    return checkItems(shape.items, value);
  }
  const reason = reasonAgainst(shape, value);
  return reason === undefined ? undefined : { path: "", reason };
}

function checkItems(items: Shape, values: readonly unknown[]): Violation | undefined {
  for (const [index, value] of values.entries()) {
    const violation = checkValue(items, value);
    if (violation !== undefined) {
      return prefixed(String(index), violation);
    }
  }
  return undefined;
}

function reasonAgainst(shape: Shape, value: unknown): ViolationReason | undefined {
  if (shape.kind === "text" && typeof value === "string") {
    return shape.values === undefined || shape.values.includes(value) ? undefined : "not allowed";
  }
  if ((shape.kind === "number" || shape.kind === "integer") && typeof value === "number") {
    if (shape.kind === "integer" && !Number.isInteger(value)) {
      return "wrong type";
    }
    return value >= (shape.minimum ?? -Infinity) && value <= (shape.maximum ?? Infinity) ? undefined : "out of range";
  }
  return undefined;
}

function hasTypeOf(shape: Shape, value: unknown): boolean {
  switch (shape.kind) {
    case "any":
    case "choice":
      return true;
    case "boolean":
      return typeof value === "boolean";
    case "text":
      return typeof value === "string";
    case "number":
    case "integer":
      return typeof value === "number";
    case "array":
      return Array.isArray(value);
    case "object":
    case "group":
      return isRecord(value);
    default:
      return unreachable(shape);
  }
}

function prefixed(key: string, violation: Violation): Violation {
  return { path: violation.path === "" ? key : `${key}.${violation.path}`, reason: violation.reason };
}

/** An own member of the table, so that `constructor` is not found. */
function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
