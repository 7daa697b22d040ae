import { decodeAttributes, groups } from "@stoa/client/generated";
import { describe, expect, it } from "vitest";
import { TEMPLATES, type TemplateId } from "../../src/templates/template-ids.ts";
import { templateText } from "../../src/templates/templates.ts";

interface Line {
  readonly object_id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The lines of a template as the realm reads them: a header and objects. */
function linesOf(id: TemplateId): { readonly head: unknown; readonly objects: readonly Line[] } {
  const [head, ...objects] = templateText(id, "ada/room", { public_read: false })
    .split("\n")
    .map((line) => JSON.parse(line));
  return { head, objects };
}

describe.each(TEMPLATES)("the template %s", (id) => {
  const { head, objects } = linesOf(id);
  const built = objects.filter(({ type }) => type === "object");

  it("is an export of the scene that it becomes", () => {
    expect(head).toEqual({ stoa_scene: 1, scene: "ada/room", settings: { public_read: false } });
  });

  it("names each object once, and hangs it on what comes before it", () => {
    const seen = new Set<unknown>();
    for (const { object_id, attributes } of objects) {
      expect(seen, object_id).not.toContain(object_id);
      if (attributes.parent !== undefined) expect(seen).toContain(attributes.parent);
      seen.add(object_id);
    }
  });

  it("holds nothing that the reference of objects calls wrong, and nothing from elsewhere", () => {
    for (const { attributes } of built) expect(decodeAttributes(attributes)).toMatchObject({ ok: true });
    expect(JSON.stringify(objects)).not.toMatch(/https?:|\/store\//);
  });

  it("has one place where one enters, and light", () => {
    const starts = built.filter(({ attributes }) =>
      JSON.stringify(attributes.landmark)?.includes('"startingPosition":true'),
    );
    expect(starts).toHaveLength(1);
    expect(built.some(({ attributes }) => attributes.object_type === "light")).toBe(true);
  });
});

describe("rooms to sit in", () => {
  const seats = (id: TemplateId): number =>
    linesOf(id).objects.filter(({ attributes }) => attributes.seat !== undefined).length;

  it("have chairs on whose seats one sits", () => {
    const known = Object.keys(groups.seat.attributes);
    for (const { attributes } of linesOf("classroom").objects)
      for (const key of Object.keys(attributes.seat ?? {})) expect(known, "a key of the schema").toContain(key);
  });

  it("have as many seats as they promise", () => {
    expect([seats("meeting"), seats("classroom"), seats("gallery")]).toEqual([12, 24, 0]);
  });
});
