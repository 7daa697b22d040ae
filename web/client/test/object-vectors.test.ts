/** Runs `spec/vectors/objects/`, as the Rust and Python tests do. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findWrong, type Group, withoutNulls } from "../src/attribute-check.ts";
import { decodeAttributes, groups, objectTypes } from "../src/generated/index.ts";

interface Case {
  readonly stem: string;
  readonly name: string;
  readonly json: unknown;
  readonly valid: boolean;
  readonly errorPath: string | undefined;
}

const folder = new URL("../../../spec/vectors/objects/", import.meta.url);
const cases = readdirSync(folder).sort().flatMap(casesOf);

function casesOf(file: string): Case[] {
  const list: unknown = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  if (!Array.isArray(list)) {
    throw new Error(`${file} is not a list of cases`);
  }
  return list.map((one) => ({
    stem: file.replace(".json", ""),
    name: String(one.name),
    json: one.json,
    valid: one.valid === true,
    errorPath: typeof one.error_path === "string" ? one.error_path : undefined,
  }));
}

/** Path of the first violation of the schema, if any. */
function wrongPath({ stem, json }: Case): string | undefined {
  if (Object.hasOwn(objectTypes, stem)) {
    const decoded = decodeAttributes(json);
    return decoded.ok ? undefined : decoded.path;
  }
  const tables: Readonly<Record<string, Group>> = groups;
  const group = tables[stem];
  if (group === undefined) {
    throw new Error(`no schema ${stem}`);
  }
  return findWrong(group, json)?.path;
}

describe("the attribute decoder", () => {
  it("accepts every valid vector and rejects each invalid one at its error path", () => {
    for (const one of cases) {
      const path = wrongPath(one);
      expect(path === undefined, one.name).toBe(one.valid);
      expect(path, one.name).toBe(one.errorPath);
    }
    process.stdout.write(`vectors objects: ${cases.length} run, 0 skipped\n`);
    expect(cases.length).toBeGreaterThan(0);
  });

  it("keeps every value of a valid vector except nulls", () => {
    const valid = cases.filter((one) => one.valid && Object.hasOwn(objectTypes, one.stem));
    for (const one of valid) {
      expect(decodeAttributes(one.json), one.name).toEqual({ ok: true, value: withoutNulls(one.json) });
    }
    expect(valid.length).toBeGreaterThan(0);
  });

  it("removes nulls at any depth, and no other value", () => {
    const value = { object_type: "box", parent: null, material: { color: null, opacity: 0 }, other: [1, { a: null }] };
    expect(decodeAttributes(value)).toEqual({
      ok: true,
      value: { object_type: "box", material: { opacity: 0 }, other: [1, {}] },
    });
  });
});
