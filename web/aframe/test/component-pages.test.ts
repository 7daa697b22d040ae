/**
 * Each registered component has a page with a table of its settings: names, types and defaults from the schema, the
 * meaning from the page. `make gen` regenerates the tables.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { groups } from "@stoa/client/generated";
import * as THREE from "three";
import { describe, expect, test } from "vitest";
import { registerComponents } from "../src/index.ts";

type Schema = Readonly<Record<string, { readonly type?: string; readonly default?: unknown }>>;

const SOURCES = resolve(import.meta.dirname, "../src");
const PAGES = resolve(import.meta.dirname, "../../../docs/components");
const INDEX = join(PAGES, "README.md");
const HEAD = "| setting | type | default | meaning |\n|---|---|---|---|\n";

const schemas = registered();

/** The schemas of all components, by name. */
function registered(): ReadonlyMap<string, Schema> {
  const found = new Map<string, Schema>();
  registerComponents({
    THREE,
    components: {},
    systems: {},
    geometries: {},
    shaders: {},
    registerComponent: (name: string, { schema }: { readonly schema: Schema }) => found.set(name, schema),
    registerGeometry() {},
    registerShader() {},
  });
  return found;
}

/** The names of the components that a source file registers. */
function componentsIn(source: string): readonly string[] {
  return [...source.matchAll(/aframe\.registerComponent<[^(]*\(\{\s*name: ("?)([\w-]+)/g)].map(
    ([, quote, name = ""]) =>
      quote === "" ? (new RegExp(`const ${name} = "([\\w-]+)"`).exec(source)?.[1] ?? name) : name,
  );
}

/** A value in HTML syntax, or as JSON. */
function shown(value: unknown): string {
  if (value === undefined || value === null || value === "") return "";
  if (isPoint(value)) return `\`${value.x} ${value.y} ${value.z}\``;
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

function isPoint(value: unknown): value is { x: number; y: number; z: number } {
  return typeof value === "object" && value !== null && Object.keys(value).join("") === "xyz";
}

/** The meanings of settings in a page, by name. */
function meanings(page: string): ReadonlyMap<string, string> {
  const rows = tableOf(page)?.[0].split("\n").slice(2) ?? [];
  return new Map(rows.map((row) => row.split(" | ")).map(([name, ...rest]) => [(name ?? "").slice(2), last(rest)]));
}

function last(cells: readonly string[]): string {
  return (cells.at(-1) ?? "").replace(/ ?\|$/, "").trim();
}

function tableOf(page: string): RegExpExecArray | null {
  return /^\| setting \|.*\n(?:\|.*\n)+/m.exec(page);
}

/** The page with a table for its component's schema. */
function withTable(page: string, schema: Schema): string {
  const names = Object.keys(schema);
  const old = tableOf(page);
  const means = meanings(page);
  const rows = names.map((name) => {
    const { type, default: value } = schema[name] ?? {};
    // Short values are printed; a whole preset is not.
    const text = shown(value);
    return `| \`${name}\` | ${type ?? "as it is"} | ${text.length > 60 ? "" : text} | ${means.get(`\`${name}\``) ?? ""} |\n`;
  });
  const table = names.length === 0 ? "" : HEAD + rows.join("");
  if (old !== null) return page.replace(old[0], () => table);
  const [title = "", about = "", ...rest] = page.split("\n");
  return table === "" ? page : [title, about, "", ...table.trimEnd().split("\n"), ...rest].join("\n");
}

/** The index with a row for a page: its first sentence. */
function withRow(index: string, name: string, page: string): string {
  if (index.includes(`(${name}.md)`)) return index;
  const [about = ""] = (page.split("\n")[1] ?? "").split(/\.(?: |$)/);
  return index.replace(
    /(\| component \|(?:.*\n)(?:\|.*\n)+)/,
    (table) => `${table}| [${name}](${name}.md) | ${about} |\n`,
  );
}

describe("pages of components", () => {
  test("registerComponents registers every component that a source file declares", () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    const declared = files.flatMap((name) => componentsIn(readFileSync(join(SOURCES, name), "utf8")));
    expect([...schemas.keys()].sort()).toEqual(declared.sort());
  });

  test("a declared component is found by its name or by the constant that holds it", () => {
    expect(componentsIn('aframe.registerComponent<A, B>({\n  name: "stoa-lamp",')).toEqual(["stoa-lamp"]);
    expect(componentsIn('const LAMP = "stoa-lamp";\naframe.registerComponent<A, B>({ name: LAMP,')).toEqual([
      "stoa-lamp",
    ]);
    expect(componentsIn('const LAMP = "stoa-lamp";'), "negative control").toEqual([]);
  });

  test.each([...schemas])("%s has a page with its settings, and the index names it", (name, schema) => {
    const path = join(PAGES, `${name}.md`);
    expect(existsSync(path), `${path} must exist: a title and a sentence; make gen writes the table`).toBe(true);
    const page = readFileSync(path, "utf8");
    const wanted = withTable(page, schema);
    if (process.env.STOA_GEN !== undefined) writeFileSync(path, wanted);
    else expect(page, "make gen writes the table anew").toBe(wanted);
    const unsaid = Object.keys(schema).filter((key) => (meanings(wanted).get(`\`${key}\``) ?? "") === "");
    expect(unsaid, "settings whose meaning the page does not say").toEqual([]);
    const index = readFileSync(INDEX, "utf8");
    if (process.env.STOA_GEN !== undefined) writeFileSync(INDEX, withRow(index, name, page));
    else expect(index, "make gen adds a row").toContain(`(${name}.md)`);
  });

  test("every component of the schemas is registered", () => {
    const named = Object.values(groups["any-object"].attributes).flatMap(({ component }) => component ?? []);
    const ours = named.filter((name) => name.startsWith("stoa-"));
    expect(ours.length).toBeGreaterThan(10);
    expect(
      ours.filter((name) => !schemas.has(name)),
      "components that nothing registers",
    ).toEqual([]);
  });

  test("a setting has the same default in its schema and in A-Frame", () => {
    const pairs = Object.entries(groups["any-object"].attributes).flatMap(([attribute, { component = "", shape }]) =>
      Object.entries(shape.kind === "group" ? shape.group.attributes : {}).flatMap(([key, { default: value }]) => {
        const setting = schemas.get(component)?.[key];
        return setting === undefined || value === undefined ? [] : [[`${attribute}.${key}`, setting.default, value]];
      }),
    );
    expect(pairs.length).toBeGreaterThan(20);
    const differing = pairs.filter(([, ofAFrame, ofSchema]) => JSON.stringify(ofAFrame) !== JSON.stringify(ofSchema));
    // The reader leaves `on` out of a sound that starts by itself.
    expect(differing.map(([name]) => name)).toEqual(["sound.on"]);
  });

  test("a new page gets a row in the index, and only one", () => {
    const index = "# Index\n| component | purpose |\n|---|---|\n| [stoa-a](stoa-a.md) | a |\n\nMore.\n";
    const added = withRow(index, "stoa-lamp", "# stoa-lamp\nA lamp. It shines.\n");
    expect(added).toBe(index.replace("| a |\n", "| a |\n| [stoa-lamp](stoa-lamp.md) | A lamp |\n"));
    expect(withRow(added, "stoa-lamp", "# stoa-lamp\n")).toBe(added);
  });

  test("every component page belongs to a registered component", () => {
    const pages = readdirSync(PAGES).filter((name) => name.startsWith("stoa-"));
    expect(pages.filter((name) => !schemas.has(name.replace(".md", "")))).toEqual([]);
  });

  test("a regenerated table adds new settings, drops removed ones and updates defaults", () => {
    const page = withTable("# stoa-lamp\nA lamp.\n\nMore.\n", { power: { type: "number", default: 60 } });
    expect(page).toBe(`# stoa-lamp\nA lamp.\n\n${HEAD}| \`power\` | number | \`60\` |  |\n\nMore.\n`);
    const said = page.replace("|  |", "| how bright |");
    expect(withTable(said, { power: { type: "number", default: 60 } }), "negative control").toBe(said);
    expect(withTable(said, { power: { type: "number", default: 40 } })).toContain("| `40` | how bright |");
    expect(withTable(said, { color: { type: "string", default: "red" } })).not.toContain("power");
  });
});
