import { Api } from "@stoa/client";
import { beforeEach, describe, expect, it } from "vitest";
import { FakeSession } from "../../support/fake-session.ts";
import { button, drawn, find, show } from "../../support/page.ts";
import { texts } from "../../support/texts.ts";
import { placingStage, put } from "../support.ts";

let session: FakeSession;

beforeEach(() => {
  session = new FakeSession();
});

const scenes = ["public/lobby", "ada/garden", "ada/home"].map((name) => {
  const [namespace, scene] = name.split("/");
  return { namespace, scene, role: "viewer", people: 0, names: [], picture: false, locked: false };
});

async function open(scene: string, selected: readonly string[], answer: () => Promise<Response>) {
  const api = new Api("http://realm.test", answer);
  const edit = await show(document.createElement("stoa-edit"), {
    ...{ api, session, scene, selected },
    stage: placingStage(session),
  });
  // The list of scenes arrives after several promises.
  for (let turn = 0; turn < 5; turn += 1) await drawn(edit);
  return edit;
}

const listed = () => Promise.resolve(Response.json(scenes));

describe("a doorway", () => {
  it("is a portal to the lobby", async () => {
    const edit = await open("ada/home", [], listed);
    button(find(edit.shadowRoot, "stoa-add", HTMLElement).shadowRoot, texts.edit.pieces.link).click();
    await drawn(edit);
    const portal = { scene: "public/lobby", landmark: "", radius: 0.6 };
    expect(session.asked).toMatchObject([["create", expect.stringMatching(/^doorway-/), { portal }, {}]]);
  });

  it("has no target scene when it is added in the lobby", async () => {
    const edit = await open("public/lobby", [], listed);
    button(find(edit.shadowRoot, "stoa-add", HTMLElement).shadowRoot, texts.edit.pieces.link).click();
    await drawn(edit);
    expect(session.asked).toMatchObject([["create", expect.anything(), { portal: { scene: "" } }, {}]]);
  });

  it("leads to the start of the scene that is selected in its list", async () => {
    put(session, "door", { portal: { scene: "public/lobby", landmark: "stage" } });
    const edit = await open("ada/home", ["door"], listed);
    const inspector = find(edit.shadowRoot, "stoa-inspector", HTMLElement).shadowRoot;
    const select = find(find(inspector, "stoa-doorway", HTMLElement).shadowRoot, "select", HTMLSelectElement);
    expect([...select.options].map(({ value }) => value)).toEqual(["", "public/lobby", "ada/garden"]);
    expect(select.value).toBe("public/lobby");
    select.value = "ada/garden";
    select.dispatchEvent(new Event("change"));
    expect(session.asked).toContainEqual(["update", "door", { portal: { scene: "ada/garden", landmark: "" } }]);
  });

  it("keeps its target when the scenes can't be listed, and says so", async () => {
    put(session, "door", { portal: { scene: "bob/attic" } });
    const edit = await open("ada/home", ["door"], () => Promise.reject(new TypeError("no network")));
    const inspector = find(edit.shadowRoot, "stoa-inspector", HTMLElement).shadowRoot;
    const door = find(inspector, "stoa-doorway", HTMLElement).shadowRoot;
    expect(find(door, "select", HTMLSelectElement).value).toBe("bob/attic");
    expect(door?.textContent).toContain(texts.edit.details.scenesAway);
  });
});
