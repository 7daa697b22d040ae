import type { Attribute } from "@stoa/client";
import { groups, objectTypes } from "@stoa/client/generated";
import { help } from "@stoa/client/help";
import { describe, expect, it } from "vitest";
import { others, shapes } from "../../../src/editor/adding/palette.ts";
import { addable, beginningOf, componentsOf, ownAttributes } from "../../../src/editor/inspector/components.ts";
import {
  type FormFieldKind,
  fieldOf,
  labelOf,
  type NamedAttribute,
  parted,
  shownValue,
  typedValue,
  type VisibleAndFoldedAttributes,
} from "../../../src/editor/inspector/fields.ts";
import { actionOf } from "../../../src/editor/shortcuts.ts";
import { rowAfter, rowsOf } from "../../../src/editor/tree/tree-rows.ts";
import { texts } from "../../../src/texts/texts.ts";
import { FakeSession } from "../../support/fake-session.ts";
import { put } from "../support.ts";

const words = texts.edit.details;
const PLAIN = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

describe("fields of the schema", () => {
  it("exist with help for each attribute of each type", () => {
    for (const [name, group] of Object.entries({ ...objectTypes, ...groups })) {
      for (const [key, attribute] of Object.entries(group.attributes)) {
        expect(fieldOf(key, attribute, undefined).kind, `${name}.${key}`).not.toBe("");
        if (key !== "object_type") expect(help[name]?.attributes[key], `${name}.${key}`).toMatch(/\w/);
      }
    }
  });

  it("match the shape of the current value where the schema allows several", () => {
    const attribute = groups["any-object"].attributes["click-listener"];
    if (attribute === undefined) throw new Error("no such attribute");
    expect(fieldOf("click-listener", attribute, undefined).kind).toBe("flag");
    expect(fieldOf("click-listener", attribute, { enabled: true }).kind).toBe("group");
    expect(fieldOf("click-listener", attribute, "").kind).toBe("line");
  });

  it.each<[FormFieldKind, string, unknown]>([
    [{ kind: "number", whole: false, minimum: 0 }, "1,5", { value: 1.5 }],
    [{ kind: "number", whole: false, minimum: 0 }, "-1", { wrong: words.below(0) }],
    [{ kind: "number", whole: true }, "1.5", { wrong: words.badNumber }],
    [{ kind: "number", whole: true }, "", { value: null }],
    [{ kind: "choice", values: ["a"] }, "b", { wrong: words.notAllowed }],
    [{ kind: "words" }, "a, b", { value: ["a", "b"] }],
    [{ kind: "json" }, "{", { wrong: words.badJson }],
    [{ kind: "line", isAddress: true }, " /store/a ", { value: "/store/a" }],
  ])("of kind %j read %j as %j", (field, text, typed) => {
    expect(typedValue(field, text)).toEqual(typed);
  });

  it("show values and labels in a readable form", () => {
    expect(shownValue({ kind: "words" }, ["a", "b"])).toBe("a, b");
    expect(shownValue({ kind: "json" }, { a: 1 })).toBe('{"a":1}');
    expect(labelOf("segmentsHeight")).toBe("Segments height");
    expect(labelOf("goto-url")).toBe("Goto url");
  });

  it("tell present from addable behaviours, which get initial values", () => {
    const attributes = { object_type: "image", url: "/a.png", sound: {}, animation__2: {}, position: {} };
    expect(componentsOf(attributes).map(([name]) => name)).toEqual(["animation__2", "sound"]);
    expect(ownAttributes("image").map(([name]) => name)).toContain("url");
    expect(addable(attributes)).toContain("goto-url");
    expect(addable(attributes)).not.toContain("sound");
    expect(beginningOf("seat", { object_type: "box", height: 0.5 })).toEqual({
      offsetPosition: { x: 0, y: 0.25, z: 0 },
    });
    expect(beginningOf("seat", { object_type: "cylinder" }), "its height goes without saying").toEqual({
      offsetPosition: { x: 0, y: 0.5, z: 0 },
    });
    expect(beginningOf("seat", { object_type: "gltf-model" })).not.toHaveProperty("offsetPosition.y", 0.5);
    expect(beginningOf("goto-url")).toMatchObject({ on: "mousedown" });
    expect(beginningOf("physx-body")).toEqual(expect.any(Object));
  });
});

describe("the object tree", () => {
  const session = new FakeSession();
  put(session, "table");
  put(session, "cup", { parent: "table" });
  put(session, "hat", { parent: "somebody_1" });
  put(session, "text-x7k2p1", { object_type: "text", value: "Welcome" });

  it("nests children under their parents, and objects with a missing parent at the top level", () => {
    const rows = rowsOf(session.objects, { closed: new Set(), search: "" });
    expect(rows.map(({ name, level, children }) => [name, level, children])).toEqual([
      ["“Welcome”", 1, "none"],
      ["hat", 1, "none"],
      ["table", 1, "shown"],
      ["cup", 2, "none"],
    ]);
    expect(rowAfter(rows, "cup", "ArrowLeft")?.objectId).toBe("table");
    expect(rowAfter(rows, "table", "ArrowRight")?.objectId).toBe("cup");
    expect(rowAfter(rows, "cup", "ArrowDown")).toBeUndefined();
  });

  it("folds the children of a row, and finds an object together with its parent", () => {
    const names = (closed: string[], search: string): string[] =>
      rowsOf(session.objects, { closed: new Set(closed), search }).map(({ objectId }) => objectId);
    expect(names(["table"], "")).toEqual(["text-x7k2p1", "hat", "table"]);
    expect(names(["table"], "CUP")).toEqual(["table", "cup"]);
  });

  it("lists a child of an object without a row at the top level", () => {
    const hosted = new FakeSession();
    hosted.objects.set("bot", { objectId: "bot", type: "program", persist: true, attributes: {} });
    put(hosted, "sign", { parent: "bot" });
    const rows = rowsOf(hosted.objects, { closed: new Set(), search: "" });
    expect(rows.map(({ objectId, level }) => [objectId, level])).toEqual([["sign", 1]]);
  });

  it("has no rows for objects that are each other's parents", () => {
    const looped = new FakeSession();
    put(looped, "a", { parent: "b" });
    put(looped, "b", { parent: "a" });
    expect(rowsOf(looped.objects, { closed: new Set(), search: "" })).toEqual([]);
  });
});

describe("shortcut keys", () => {
  it("map to their actions", () => {
    expect(actionOf({ ...PLAIN, key: "1" })).toBe("move");
    expect(actionOf({ ...PLAIN, key: "G", ctrlKey: true })).toBe("group");
    expect(actionOf({ ...PLAIN, key: "G", ctrlKey: true, shiftKey: true })).toBe("ungroup");
    expect(actionOf({ ...PLAIN, key: "w" })).toBeUndefined();
    expect(actionOf({ ...PLAIN, key: "c" })).toBeUndefined();
  });

  it("of a single letter or digit do nothing while they are switched off", () => {
    const without = (key: string, ctrlKey = false) => actionOf({ ...PLAIN, key, ctrlKey }, false);
    for (const key of ["1", "2", "3", "n", "x", "l"]) expect(without(key)).toBeUndefined();
    expect([without("Delete"), without("Escape"), without("c", true)]).toEqual(["remove", "none", "copy"]);
  });
});

describe("property texts", () => {
  const schemas: Readonly<Record<string, { readonly attributes: Readonly<Record<string, Attribute>> }>> = {
    ...groups,
    ...objectTypes,
  };

  it("name and describe properties of the schemas, uniquely within each schema", () => {
    for (const [schema, words] of Object.entries(texts.edit.fields)) {
      const names = Object.entries(words).map(([key, { name, means }]) => {
        expect(schemas[schema]?.attributes, schema).toHaveProperty([key]);
        expect(name, `${schema}.${key}`).toMatch(/^[A-Z][^.]*$/);
        expect(means, `${schema}.${key}`).toMatch(/^[A-Z0-9“].*\.$/);
        expect(`${name} ${means}`).not.toMatch(/glTF|URL|JSON|mesh|texture|shader|\bradian/i);
        return name;
      });
      expect(new Set(names).size, schema).toBe(names.length);
    }
  });

  it("exist for the types of the palette and for the most common behaviours", () => {
    for (const { attributes } of [...shapes, ...others("a/b")]) {
      const type = String(attributes.object_type);
      if (type !== "entity") expect(texts.edit.fields, type).toHaveProperty([type]);
    }
    for (const ability of ["portal", "seat", "landmark", "sound", "animation", "material", "goto-url", "physx-body"])
      expect(texts.edit.fields).toHaveProperty([ability]);
  });

  it("order the shown properties, followed by set ones, and fold the rest", () => {
    const named = ["wireframe", "offset", "src", "color", "fog"].map(
      (name): NamedAttribute => [name, { shape: { kind: "any" } }],
    );
    const names = ({ shown, more }: VisibleAndFoldedAttributes) =>
      [shown, more].map((part) => part.map(([name]) => name));
    expect(names(parted("material", named, (name) => name === "fog"))).toEqual([
      ["color", "src", "wireframe", "fog"],
      ["offset"],
    ]);
    expect(names(parted("constructor", named, (name) => name === "fog")), "of what nobody knows words").toEqual([
      ["fog", "wireframe", "offset", "src", "color"],
      [],
    ]);
  });
});
