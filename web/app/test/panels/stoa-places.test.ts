import { describe, expect, it } from "vitest";
import { landmarkIn } from "../../src/routing/destinations.ts";
import { FakeSession } from "../support/fake-session.ts";
import { fakeStage } from "../support/fake-stage.ts";
import { button, drawn, find, show } from "../support/page.ts";
import { texts } from "../support/texts.ts";

describe("the spots panel", () => {
  it("goes to a landmark, and shows its label as text", async () => {
    const went: string[] = [];
    const landmarks = () => [{ objectId: "door", label: "The <b>door</b>" }];
    const stage = fakeStage({ landmarks, goTo: (objectId) => went.push(objectId) });
    const places = await show(document.createElement("stoa-places"), { session: new FakeSession(), stage });
    button(places.shadowRoot, texts.places.goTo("The <b>door</b>")).click();
    expect(went).toEqual(["door"]);
    expect(places.shadowRoot?.querySelector("b"), "a label is text").toBeNull();
  });

  it("lists the spots of a model as soon as the model is shown", async () => {
    let landmarks: readonly { objectId: string; label: string }[] = [];
    const stage = fakeStage({ landmarks: () => landmarks });
    const places = await show(document.createElement("stoa-places"), { session: new FakeSession(), stage });
    landmarks = [{ objectId: "hall#1", label: "Hill East" }];
    document.body.dispatchEvent(new CustomEvent("stoa-places-changed", { bubbles: true }));
    await drawn(places);
    expect(places.shadowRoot?.textContent).toContain(texts.places.goTo("Hill East"));
  });

  it("says that there are no spots, and lists spots that are added", async () => {
    const session = new FakeSession();
    let landmarks: readonly { objectId: string; label: string }[] = [];
    const stage = fakeStage({ landmarks: () => landmarks });
    const places = await show(document.createElement("stoa-places"), { session, stage });
    expect(places.shadowRoot?.textContent).toContain(texts.places.none);
    landmarks = [{ objectId: "hall", label: "Hall" }];
    session.tell("reset", undefined);
    await drawn(places);
    expect(places.shadowRoot?.textContent).toContain(texts.places.goTo("Hall"));
  });

  it("lists the credits of the scene's models, with noopener links", async () => {
    const credits = () => [{ title: "Mammoth", author: "A museum", authorURL: "https://museum.example/" }];
    const stage = fakeStage({ credits });
    const places = await show(document.createElement("stoa-places"), { session: new FakeSession(), stage });
    expect(find(places.shadowRoot, ".credits li", HTMLElement).textContent?.replaceAll(/\s+/g, " ").trim()).toBe(
      "Mammoth · A museum",
    );
    expect(find(places.shadowRoot, ".credits a", HTMLAnchorElement).rel).toContain("noopener");
  });

  it("reads a landmark's name from an address after the #", () => {
    expect(landmarkIn("#The%20door")).toBe("The door");
    expect(landmarkIn("")).toBe("");
  });
});
