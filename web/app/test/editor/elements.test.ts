import { COMFORT } from "@stoa/aframe/comfort";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { abilityName } from "../../src/editor/inspector/abilities.ts";
import { labelOf, meaningOf } from "../../src/editor/inspector/fields.ts";
import { StoaObjectTree } from "../../src/editor/tree/stoa-tree.ts";
import { Preferences } from "../../src/preferences/preferences.ts";
import { FakeSession, person } from "../support/fake-session.ts";
import { button, drawn, find, labelled, show, submit, type } from "../support/page.ts";
import { texts } from "../support/texts.ts";
import { placingStage, put } from "./support.ts";

const words = texts.edit;

let session: FakeSession;

beforeEach(() => {
  session = new FakeSession();
});

async function open(selected: readonly string[] = []) {
  const edit = await show(document.createElement("stoa-edit"), { session, stage: placingStage(session), selected });
  const chosen: unknown[] = [];
  edit.addEventListener("stoa-choose", (event) => chosen.push(event instanceof CustomEvent ? event.detail : null));
  return { edit, chosen, root: edit.shadowRoot };
}

/** The recorded changes without the reports of holds. */
function changes(): unknown[] {
  return session.asked.filter((asked) => !Array.isArray(asked) || asked[0] !== "looks");
}

describe("the edit panel", () => {
  it("adds and selects a box when its button is clicked", async () => {
    const { edit, chosen, root } = await open();
    button(find(root, "stoa-add", HTMLElement).shadowRoot, words.pieces.box).click();
    await drawn(edit);
    expect(changes()).toMatchObject([["create", expect.stringMatching(/^box-/), { object_type: "box" }, {}]]);
    expect(chosen).toEqual([[expect.stringMatching(/^box-/)]]);
  });

  it("moves, colours and deletes the selected object", async () => {
    put(session, "lamp");
    const { edit, root } = await open(["lamp"]);
    const inspector = find(root, "stoa-inspector", HTMLElement);
    button(inspector.shadowRoot, words.details.nudges.up).click();
    type(labelled(inspector.shadowRoot, `${words.details.position} x`, HTMLInputElement), "2.5");
    type(find(inspector.shadowRoot, "[type=color]", HTMLInputElement), "#112233");
    await drawn(edit);
    button(root, words.tools.delete).click();
    await drawn(edit);
    expect(changes()).toEqual([
      ["update", "lamp", { position: { x: 0, y: 1.1, z: 0 } }],
      ["update", "lamp", { position: { x: 2.5, y: 1, z: 0 } }],
      ["update", "lamp", { material: { color: "#112233" } }],
      ["remove", "lamp"],
    ]);
  });

  it("has a field for each property, with help and limits from the schema", async () => {
    put(session, "lamp", { object_type: "light", type: "spot", penumbra: 0.2 });
    const { root } = await open(["lamp"]);
    const fields = [...(find(root, "stoa-inspector", HTMLElement).shadowRoot?.querySelectorAll("stoa-field") ?? [])];
    const field = fields.find(({ name }) => name === "penumbra");
    expect(fields.map(({ name }) => name)).toContain("castShadow");
    expect(field?.help).not.toBe("");
    const input = find(field?.shadowRoot ?? null, "input", HTMLInputElement);
    type(input, "7");
    await drawn(field as never);
    expect(find(field?.shadowRoot ?? null, "[role=alert]", HTMLElement).textContent).toContain(
      words.details.within(0, 1),
    );
    expect(changes()).toEqual([]);
    type(input, "0.5");
    expect(changes()).toEqual([["update", "lamp", { penumbra: 0.5 }]]);
  });

  /** The field of one attribute. */
  const fieldOf = (root: ParentNode | null, wanted: string) => {
    const field = [...(root?.querySelectorAll("stoa-field") ?? [])].find(({ name }) => name === wanted);
    if (field === undefined) throw new Error(`there is no field ${wanted}`);
    return field;
  };

  it("an attribute set while its group is open keeps its position until the group is reopened", async () => {
    put(session, "lamp", { material: { dithering: true } });
    const { edit, root } = await open(["lamp"]);
    const inspector = find(root, "stoa-inspector", HTMLElement).shadowRoot;
    const material = fieldOf(inspector, "material");
    material.isOpen = true;
    await drawn(edit);
    const names = () => [...(material.shadowRoot?.querySelectorAll("stoa-field") ?? [])].map(({ name }) => name);
    const before = names();
    const shown = () =>
      [...(material.shadowRoot?.querySelectorAll("details > .inner > stoa-field") ?? [])].length -
      [...(material.shadowRoot?.querySelectorAll("details details stoa-field") ?? [])].length;
    const first = shown();
    expect(before[0], "what people look for comes first").toBe("color");
    expect(before[first - 1], "then what is set").toBe("dithering");
    expect(before.length - first, "the rest is folded away").toBeGreaterThan(30);
    const last = fieldOf(material.shadowRoot, before.at(-1) ?? "");
    put(session, "lamp", { material: { dithering: true, [last.name]: 0.5 } });
    session.tell("reset", undefined);
    await drawn(edit);
    expect(names()).toEqual(before);
    expect([fieldOf(material.shadowRoot, last.name), last.value]).toEqual([last, 0.5]);
    material.isOpen = false;
    await drawn(edit);
    material.isOpen = true;
    await drawn(edit);
    expect(names().indexOf(last.name), "opened again, it stands with what is set").toBeLessThan(shown());
  });

  it("common properties show a plain name and visible help next to the schema's name", async () => {
    put(session, "lamp", { object_type: "light", type: "spot" });
    const { root } = await open(["lamp"]);
    const inspector = find(root, "stoa-inspector", HTMLElement).shadowRoot;
    const text = (name: string) => fieldOf(inspector, name).shadowRoot?.textContent?.replace(/\s+/g, " ").trim();
    const { intensity, distance } = words.fields.light ?? {};
    expect(text("intensity")?.indexOf(`${intensity?.name} intensity `)).toBe(0);
    expect(text("intensity")).toContain(String(intensity?.means));
    const decay = `${labelOf("decay")} ${meaningOf("light", "decay")}`;
    expect(text("decay")?.indexOf(decay), "what few look for keeps its own").toBe(0);
    expect(text("distance"), "with its unit").toContain(`${distance?.name} (metres)`);
    const folded = find(inspector, ".more", HTMLDetailsElement);
    expect(
      [fieldOf(inspector, "decay"), fieldOf(inspector, "intensity")].map((field) => folded.contains(field)),
    ).toEqual([...[true, false]]);
    const help = find(fieldOf(inspector, "intensity").shadowRoot, ".help", HTMLElement);
    expect(getComputedStyle(help).display).not.toBe("none");
  });

  it("an emptied number field changes nothing and shows the current value again", async () => {
    const two = { x: 2, y: 2, z: 2 };
    put(session, "lamp", { scale: two, "spe-particles": { acceleration: two } });
    const { edit, root } = await open(["lamp"]);
    const inspector = find(root, "stoa-inspector", HTMLElement).shadowRoot;
    const scale = labelled(inspector, `${words.details.scale} y`, HTMLInputElement);
    type(scale, "");
    const particles = fieldOf(inspector, "spe-particles");
    particles.isOpen = true;
    await drawn(edit);
    const field = fieldOf(particles.shadowRoot, "acceleration");
    const acceleration = labelled(field.shadowRoot, `${labelOf("acceleration")} y`, HTMLInputElement);
    type(acceleration, "");
    await drawn(edit);
    expect(changes()).toEqual([]);
    expect([scale.value, acceleration.value]).toEqual(["2", "2"]);
  });

  it("a field's error isn't shown for the next selected object", async () => {
    put(session, "lamp", { object_type: "light", type: "spot" });
    put(session, "sun", { object_type: "light", type: "spot" });
    const { edit, root } = await open(["lamp"]);
    const field = () => fieldOf(find(root, "stoa-inspector", HTMLElement).shadowRoot, "penumbra");
    type(find(field().shadowRoot, "input", HTMLInputElement), "7");
    await drawn(edit);
    expect(field().shadowRoot?.querySelector("[role=alert]")).not.toBeNull();
    edit.selected = ["sun"];
    await drawn(edit);
    expect(find(root, "stoa-inspector", HTMLElement).shadowRoot?.textContent).toContain("sun");
    expect(field().shadowRoot?.querySelector("[role=alert]")).toBeNull();
    expect(find(field().shadowRoot, "input", HTMLInputElement).value).toBe("");
  });

  it("a tree row keeps its element when another row is inserted above it", async () => {
    put(session, "cup");
    const { edit, root } = await open();
    button(root, words.tabs.things).click();
    await drawn(edit);
    const row = () => find(find(root, "stoa-tree", HTMLElement).shadowRoot, "[data-row=cup]", HTMLElement);
    const before = row();
    put(session, "apple");
    session.tell("reset", undefined);
    await drawn(edit);
    expect(row().previousElementSibling?.getAttribute("data-row")).toBe("apple");
    expect(row()).toBe(before);
  });

  it("renames the selected object in the inspector's heading", async () => {
    put(session, "doorway-x7k2p1", { portal: { scene: "ada/garden" } });
    const { edit, chosen, root } = await open(["doorway-x7k2p1"]);
    const inspector = find(root, "stoa-inspector", HTMLElement).shadowRoot;
    const head = () => inspector?.querySelector(".id strong")?.textContent;
    expect(head()).toBe(words.names.doorwayTo("ada/garden"));
    button(inspector, words.names.rename).click();
    await drawn(edit);
    const field = () => find(inspector, "input[name=name]", HTMLInputElement);
    expect(field().value).toBe(words.names.doorwayTo("ada/garden"));
    const outside = vi.fn();
    addEventListener("keydown", outside);
    field().dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true, composed: true }));
    removeEventListener("keydown", outside);
    expect(outside, "it would close the panel").not.toHaveBeenCalled();
    await drawn(edit);
    expect([head(), changes()]).toEqual([words.names.doorwayTo("ada/garden"), []]);
    button(inspector, words.names.rename).click();
    await drawn(edit);
    put(session, "lamp");
    field().value = "lamp";
    submit(find(inspector, "form", HTMLFormElement));
    await drawn(edit);
    expect(find(inspector, "#name-wrong", HTMLElement).textContent).toBe(words.names.taken("lamp"));
    field().value = "Way out";
    submit(find(inspector, "form", HTMLFormElement));
    await drawn(edit);
    expect(changes()).toMatchObject([
      ["create", "Way-out", { portal: {} }, {}],
      ["remove", "doorway-x7k2p1"],
    ]);
    expect(chosen).toEqual([["Way-out"]]);
  });

  it("adds and removes behaviours", async () => {
    put(session, "lamp", { sound: { src: "/store/a.mp3" } });
    const { edit, root } = await open(["lamp"]);
    const inspector = find(root, "stoa-inspector", HTMLElement).shadowRoot;
    const detail = "animation";
    find(inspector, "stoa-abilities", HTMLElement).dispatchEvent(new CustomEvent("stoa-ability", { detail }));
    await drawn(edit);
    labelled(inspector, words.abilities.remove(abilityName("sound")), HTMLElement).click();
    expect(changes()).toMatchObject([
      ["update", "lamp", { animation: { property: "rotation" } }],
      ["update", "lamp", { sound: null }],
    ]);
  });

  it("lists objects as a tree, selects rows, and names the person who selected an object", async () => {
    put(session, "table");
    put(session, "cup", { parent: "table" });
    session.people.set("bob", { ...person("bob", "Bob"), holds: ["cup"] });
    const { edit, chosen, root } = await open();
    button(root, words.tabs.things).click();
    await drawn(edit);
    const tree = find(root, "stoa-tree", HTMLElement).shadowRoot;
    const rows = [...(tree?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [])];
    expect(rows.map((row) => [row.dataset.row, row.getAttribute("aria-level")])).toEqual([
      ["table", "1"],
      ["cup", "2"],
    ]);
    expect(rows[1]?.textContent).toContain(words.heldBy("Bob"));
    rows[0]?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    rows[1]?.dispatchEvent(new MouseEvent("click", { ctrlKey: true, bubbles: true }));
    expect(chosen).toEqual([["table"], ["cup"]]);
  });

  it.each([
    ["anonymous-1234567890_0000000001", "Bob (guest)"],
    ["bob_0000000001", "Bob"],
  ])("marks a guest who has selected an object, but not an account: %s", async (idTag, name) => {
    put(session, "cup");
    session.people.set(idTag, { ...person(idTag, "Bob"), holds: ["cup"] });
    const { edit, root } = await open(["cup"]);
    for (const [tab, element] of [
      [words.tabs.details, "stoa-inspector"],
      [words.tabs.things, "stoa-tree"],
    ] as const) {
      button(root, tab).click();
      await drawn(edit);
      const holder = find(find(root, element, HTMLElement).shadowRoot, ".holder", HTMLElement);
      expect(holder.textContent, element).toBe(words.heldBy(name));
    }
  });

  it("names the person who selects an object, without reading all people at each movement", async () => {
    put(session, "cup");
    const bob = person("bob", "Bob");
    const tell = (holds: readonly string[]) => {
      session.people.set("bob", { ...bob, holds });
      session.tell("person", { idTag: "bob", person: { ...bob, holds } });
    };
    const { edit, root } = await open();
    button(root, words.tabs.things).click();
    await drawn(edit);
    const tree = find(root, "stoa-tree", HTMLElement);
    const all = vi.spyOn(session.people, "values");
    tell([]);
    expect(all, "a step").not.toHaveBeenCalled();
    for (const [holds, is] of [
      [["cup"], true],
      [[], false],
    ] as const) {
      tell(holds);
      await drawn(edit);
      expect(tree.shadowRoot?.textContent?.includes(words.heldBy("Bob"))).toBe(is);
    }
  });

  it("doesn't render the object tree while the panel is hidden", async () => {
    put(session, "table");
    const { edit, root } = await open();
    button(root, words.tabs.things).click();
    await drawn(edit);
    const tree = find(root, "stoa-tree", StoaObjectTree);
    const shown = () => [...(tree.shadowRoot?.querySelectorAll<HTMLElement>("[data-row]") ?? [])].length;
    edit.active = false;
    await drawn(edit);
    await drawn(tree);
    const render = vi.spyOn(tree, "render");
    const object = put(session, "cup");
    session.tell("object", { objectId: "cup", object, changed: ["object_type"] });
    await drawn(edit);
    expect(render).not.toHaveBeenCalled();
    edit.active = true;
    await drawn(edit);
    await drawn(tree);
    expect(shown()).toBe(2);
  });

  it("publishes the selection, and clears it when the panel is hidden", async () => {
    put(session, "lamp");
    const { edit } = await open(["lamp"]);
    expect(session.asked).toEqual([["looks", { holds: ["lamp"] }]]);
    edit.active = false;
    await drawn(edit);
    expect(session.asked.at(-1)).toEqual(["looks", { holds: [] }]);
  });

  it("undoes by Ctrl+Z only while the panel is shown", async () => {
    session.undo.noteCreate("rug", {}, {})(Promise.resolve());
    session.objects.set("rug", { objectId: "rug", type: "object", persist: false, attributes: {} });
    const { edit } = await open();
    const press = () => dispatchEvent(new KeyboardEvent("keydown", { key: "z", ctrlKey: true }));
    edit.active = false;
    await drawn(edit);
    press();
    await drawn(edit);
    expect(changes(), "negative control: another panel is open").toEqual([]);
    edit.active = true;
    await drawn(edit);
    press();
    await expect.poll(changes).toEqual([["remove", "rug"]]);
  });

  it("shortcut keys set the tool and the lock, but not while the user types in a field", async () => {
    put(session, "lamp");
    const { edit, root } = await open(["lamp"]);
    dispatchEvent(new KeyboardEvent("keydown", { key: "2" }));
    await drawn(edit);
    expect(button(root, words.tools.modes.turn).getAttribute("aria-pressed")).toBe("true");
    dispatchEvent(new KeyboardEvent("keydown", { key: "l" }));
    await drawn(edit);
    expect(changes()).toEqual([["update", "lamp", { locked: true }]]);
    const input = find(find(root, "stoa-inspector", HTMLElement).shadowRoot, "input", HTMLInputElement);
    input.dispatchEvent(new KeyboardEvent("keydown", { key: "Delete", bubbles: true, composed: true }));
    expect(changes()).toHaveLength(1);
  });

  it("letter shortcuts do nothing while they are switched off", async () => {
    put(session, "lamp");
    const { edit } = await open(["lamp"]);
    edit.preferences = new Preferences(new Storage());
    edit.preferences.comfort = { ...COMFORT, letterKeys: false };
    dispatchEvent(new KeyboardEvent("keydown", { key: "l" }));
    await drawn(edit);
    expect(changes()).toEqual([]);
    edit.preferences.comfort = COMFORT;
    dispatchEvent(new KeyboardEvent("keydown", { key: "l" }));
    await drawn(edit);
    expect(changes()).toEqual([["update", "lamp", { locked: true }]]);
  });

  it("Ctrl+C copies the selected object, unless text is selected on the page", async () => {
    put(session, "lamp");
    const { edit, root } = await open(["lamp"]);
    const copy = () => {
      const event = new KeyboardEvent("keydown", { key: "c", ctrlKey: true, cancelable: true });
      dispatchEvent(event);
      return event.defaultPrevented;
    };
    const line = document.body.appendChild(document.createElement("p"));
    line.textContent = "a name";
    getSelection()?.selectAllChildren(line);
    expect(copy()).toBe(false);
    getSelection()?.removeAllRanges();
    expect(copy(), "nothing is marked").toBe(true);
    await drawn(edit);
    expect(root?.textContent).toContain(words.tools.copied(1));
  });
});
