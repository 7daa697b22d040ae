import type { Group } from "@stoa/client";
import { groups, objectTypes } from "@stoa/client/generated";
import { describe, expect, it } from "vitest";
import { abilityDoes, abilityName, offersOf } from "../../../src/editor/inspector/abilities.ts";
import { addable, componentsOf } from "../../../src/editor/inspector/components.ts";
import { texts } from "../../../src/texts/texts.ts";
import { FakeSession } from "../../support/fake-session.ts";
import { drawn, find, show, type } from "../../support/page.ts";
import { placingStage, put } from "../support.ts";

const { groups: words, kinds } = texts.edit.abilities;
/** The components that the inspector shows as behaviours. */
const known = Object.keys(groups["any-object"].attributes).filter(
  (name) => componentsOf({ object_type: "entity", [name]: {} }).length > 0,
);

const nameOf = (keys: readonly string[], search: string) =>
  offersOf(keys, search).flatMap(({ offers }) => offers.map(({ key }) => key));

describe("behaviour texts", () => {
  it("name and describe exactly the behaviours of the schemas, without technical words", () => {
    expect(known).toContain("physx-body");
    expect(Object.keys(kinds).sort(), "src/texts/texts-abilities.ts names each component").toEqual([...known].sort());
    const names = Object.values(kinds).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, does } of Object.values(kinds)) {
      expect(name).toMatch(/^[A-Z][^.]*$/);
      expect(does, name).toMatch(/^[A-Z].*\.$/);
      // Words of authors of models and programs, not of users.
      expect(`${name} ${does}`).not.toMatch(/glTF|URL|JSON|mesh|morph|event|texture|listener|component/i);
    }
  });

  it("every component with an `x-carrier` is offered for an object type", () => {
    const offered = new Set(Object.keys(objectTypes).flatMap((type) => addable({ object_type: type })));
    const { attributes }: Group = groups["any-object"];
    const carried = Object.keys(attributes).filter((name) => attributes[name]?.carrier !== undefined);
    expect(carried).toContain("geometry");
    expect(
      carried.filter((name) => !offered.has(name)),
      "CARRIERS in components.ts lacks their carrier",
    ).toEqual([]);
  });

  it("number a further behaviour of the same kind", () => {
    expect(abilityName("animation__2")).toBe(texts.edit.abilities.further(abilityName("animation"), "2"));
    expect(abilityName("animation__2")).toContain("2");
    expect(abilityDoes("animation__2")).toBe(abilityDoes("animation"));
    expect(abilityName("soundScape")).toBe("Sound scape");
  });

  it("are searched by name, description and schema name", () => {
    const keys = ["physx-body", "sound", "seat"];
    expect(nameOf(keys, String(kinds["physx-body"]?.name.slice(1).toUpperCase()))).toEqual(["physx-body"]);
    expect(nameOf(keys, String(kinds.seat?.does.slice(1)))).toEqual(["seat"]);
    expect(nameOf(keys, "physx")).toEqual(["physx-body"]);
    expect(nameOf(keys, "nothing of this kind")).toEqual([]);
  });

  it("group behaviours in the order of the texts", () => {
    const shown = offersOf(["seat", "physx-body", "sound", "portal"], "");
    expect(shown.map(({ title, offers }) => [title, offers.map(({ key }) => key)])).toEqual([
      [words.press, ["portal", "sound"]],
      [words.people, ["seat"]],
      [words.bodies, ["physx-body"]],
    ]);
  });
});

describe("the list of behaviours to add", () => {
  it("moves the focus to its heading once a behaviour is chosen", async () => {
    const list = await show(document.createElement("stoa-abilities"), { offered: ["seat"], isOpen: true });
    const offer = find(list.shadowRoot, "[data-ability=seat]", HTMLButtonElement);
    offer.focus();
    offer.click();
    await drawn(list);
    expect(list.shadowRoot?.querySelector("[data-ability]")).toBeNull();
    expect(list.shadowRoot?.activeElement?.localName).toBe("summary");
  });

  it("omits behaviours that have no effect on the object's type", () => {
    const offered = addable({ object_type: "box" });
    for (const name of ["jitsi-video", "armarker", "animation-mixer", "geometry", "url"])
      expect(offered).not.toContain(name);
    expect(offered).toContain("material");
    expect(addable({ object_type: "gltf-model" })).toContain("animation-mixer");
    expect(addable({ object_type: "gltf-model" })).not.toContain("material");
    expect(addable({ object_type: "entity" })).toContain("geometry");
  });

  it("includes blip, whose settings become fields", async () => {
    expect(addable({ object_type: "box" })).toContain("blip");
    const session = new FakeSession();
    put(session, "lamp");
    const parts = { session, stage: placingStage(session), selected: ["lamp"] };
    const edit = await show(document.createElement("stoa-edit"), parts);
    const inspector = find(edit.shadowRoot, "stoa-inspector", HTMLElement).shadowRoot;
    const list = find(inspector, "stoa-abilities", HTMLElement);
    list.dispatchEvent(new CustomEvent("stoa-ability", { detail: "blip" }));
    const blip = { blipin: true, blipout: true, geometry: "rect", planes: "both", duration: 750 };
    expect(session.asked).toContainEqual(["update", "lamp", { blip }]);
    put(session, "lamp", { blip });
    session.tell("reset", undefined);
    await drawn(edit);
    const field = [...(inspector?.querySelectorAll("stoa-field") ?? [])].find(({ name }) => name === "blip");
    expect([field?.called, field?.isOpen]).toEqual([abilityName("blip"), true]);
    const settings = [...(field?.shadowRoot?.querySelectorAll("stoa-field") ?? [])];
    expect(settings.map(({ name }) => name).slice(0, 5)).toEqual(Object.keys(blip));
    const duration = find(settings[4]?.shadowRoot ?? null, "input", HTMLInputElement);
    type(duration, "1500");
    expect(session.asked.at(-1)).toEqual(["update", "lamp", { blip: { duration: 1_500 } }]);
  });

  it("shows names, filters by the typed text, and opens the fields of the added behaviour", async () => {
    const session = new FakeSession();
    put(session, "lamp");
    const edit = await show(document.createElement("stoa-edit"), {
      session,
      stage: placingStage(session),
      selected: ["lamp"],
    });
    const inspector = find(edit.shadowRoot, "stoa-inspector", HTMLElement).shadowRoot;
    const list = find(inspector, "stoa-abilities", HTMLElement);
    const details = find(list.shadowRoot, "details", HTMLDetailsElement);
    details.open = true;
    details.dispatchEvent(new Event("toggle"));
    await drawn(edit);
    expect(list.shadowRoot?.textContent).toContain(abilityName("physx-body"));
    type(find(list.shadowRoot, "[type=search]", HTMLInputElement), abilityDoes("physx-body").slice(1));
    await drawn(edit);
    const [chosen, ...others] = [...(list.shadowRoot?.querySelectorAll<HTMLButtonElement>("[data-ability]") ?? [])];
    expect(others).toEqual([]);
    expect(chosen?.textContent).toContain("physx-body");
    chosen?.click();
    put(session, "lamp", { "physx-body": { type: "dynamic" } });
    session.tell("reset", undefined as never);
    await drawn(edit);
    expect(session.asked).toContainEqual(["update", "lamp", { "physx-body": expect.any(Object) }]);
    const field = [...(inspector?.querySelectorAll("stoa-field") ?? [])].find(({ name }) => name === "physx-body");
    expect(field?.called).toBe(abilityName("physx-body"));
    expect(field?.isOpen).toBe(true);
  });
});
