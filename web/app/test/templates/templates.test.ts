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

  it("begins with the header of the created scene's export", () => {
    expect(head).toEqual({ stoa_scene: 1, scene: "ada/room", settings: { public_read: false } });
  });

  it("has each object id once, and parents before their children", () => {
    const seen = new Set<unknown>();
    for (const { object_id, attributes } of objects) {
      expect(seen, object_id).not.toContain(object_id);
      if (attributes.parent !== undefined) expect(seen).toContain(attributes.parent);
      seen.add(object_id);
    }
  });

  it("has only valid attributes, and no external or stored files", () => {
    for (const { attributes } of built) expect(decodeAttributes(attributes)).toMatchObject({ ok: true });
    expect(JSON.stringify(objects)).not.toMatch(/https?:|\/store\//);
  });

  it("has one starting position and a light", () => {
    const starts = built.filter(({ attributes }) =>
      JSON.stringify(attributes.landmark)?.includes('"startingPosition":true'),
    );
    expect(starts).toHaveLength(1);
    expect(built.some(({ attributes }) => attributes.object_type === "light")).toBe(true);
  });
});

describe("the seats of the templates", () => {
  const seats = (id: TemplateId): number =>
    linesOf(id).objects.filter(({ attributes }) => attributes.seat !== undefined).length;

  it("have only attributes of the schema", () => {
    const known = Object.keys(groups.seat.attributes);
    for (const { attributes } of linesOf("classroom").objects)
      for (const key of Object.keys(attributes.seat ?? {})) expect(known, "a key of the schema").toContain(key);
  });

  it("number 12 in a meeting, 24 in a classroom and none in a gallery", () => {
    expect([seats("meeting"), seats("classroom"), seats("gallery")]).toEqual([12, 24, 0]);
  });
});
