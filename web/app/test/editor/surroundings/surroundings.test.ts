import { mergeAttributes } from "@stoa/client";
import { beforeEach, describe, expect, it } from "vitest";
import type { ObjectChangeRequest } from "../../../src/editor/objects/changes.ts";
import {
  changesForLights,
  changesForPreset,
  choices,
  chosenLights,
  chosenPreset,
  lightSets,
} from "../../../src/editor/surroundings/surroundings.ts";
import { texts } from "../../../src/texts/texts.ts";
import { FakeSession } from "../../support/fake-session.ts";
import { button, drawn, find, show } from "../../support/page.ts";
import { placingStage, put } from "../support.ts";

const { lights, ownLight, presets } = texts.edit.surroundings;

let session: FakeSession;

beforeEach(() => {
  session = new FakeSession();
});

/** Applies changes as the realm would. */
function apply(changes: readonly ObjectChangeRequest[]): void {
  for (const change of changes) {
    const { objectId } = change;
    if (change.kind === "remove") session.objects.delete(objectId);
    else {
      const old = change.kind === "update" ? (session.objects.get(objectId)?.attributes ?? {}) : {};
      const attributes = mergeAttributes(old, change.attributes);
      session.objects.set(objectId, { objectId, type: "object", attributes, persist: true });
    }
  }
}

const options = () => session.objects.get("scene-options")?.attributes;

describe("surroundings", () => {
  it("have a name and colours each", () => {
    for (const { preset, sky, horizon, ground } of choices) {
      expect(texts.edit.surroundings.presets[preset], preset).toMatch(/\S/);
      for (const color of [sky, horizon, ground]) expect(color, preset).toMatch(/^#[0-9a-fA-F]{3,6}$/);
    }
    expect(choices.length).toBe(Object.keys(texts.edit.surroundings.presets).length);
  });

  it("are created if a scene has none, and replace the settings of the previous preset", () => {
    expect(chosenPreset(session.objects)).toBe("none");
    expect(changesForPreset(session.objects, "forest")).toEqual([
      {
        kind: "create",
        objectId: "scene-options",
        attributes: { "env-presets": { preset: "forest" } },
        options: { type: "scene-options" },
      },
    ]);
    put(session, "scene-options", {
      "env-presets": { active: false, preset: "tron", skyColor: "#123456" },
      "scene-options": { physics: { enabled: true } },
    });
    expect(chosenPreset(session.objects)).toBe("none");
    apply(changesForPreset(session.objects, "forest"));
    expect(chosenPreset(session.objects)).toBe("forest");
    expect(options()).toMatchObject({
      "env-presets": { preset: "forest" },
      "scene-options": { physics: { enabled: true } },
    });
    expect(Object.keys(Object(options()?.["env-presets"]))).toEqual(["preset"]);
  });

  it("with an unknown preset match no choice", () => {
    put(session, "scene-options", { "env-presets": { preset: "my own" } });
    expect(chosenPreset(session.objects)).toBeUndefined();
  });
});

describe("a set of lights", () => {
  it("replaces the light of the surroundings and the previous set, and can be removed", () => {
    put(session, "desk-lamp", { object_type: "light" });
    apply(changesForPreset(session.objects, "forest"));
    for (const { name } of lightSets) {
      apply(changesForLights(session.objects, name));
      expect(chosenLights(session.objects)).toBe(name);
      expect(options()).toMatchObject({ "env-presets": { preset: "forest", lighting: "none" } });
      const ids = [...session.objects.keys()].filter((id) => id.startsWith("lights-"));
      expect(ids.every((id) => id.startsWith(`lights-${name}-`))).toBe(true);
    }
    apply(changesForPreset(session.objects, "japan"));
    expect(options()).toMatchObject({ "env-presets": { preset: "japan", lighting: "none" } });
    apply(changesForLights(session.objects, null));
    expect(chosenLights(session.objects)).toBeNull();
    expect(options()).toEqual({ "env-presets": { preset: "japan" } });
    expect([...session.objects.keys()].sort()).toEqual(["desk-lamp", "scene-options"]);
  });

  it("needs no surroundings", () => {
    expect(changesForLights(session.objects, "day").map(({ kind }) => kind)).toEqual(["create", "create"]);
  });
});

describe("the Scene tab of the editor", () => {
  it("marks the current preset and lights, and changes them by a click", async () => {
    put(session, "scene-options", { "env-presets": { preset: "forest" } });
    const edit = await show(document.createElement("stoa-edit"), {
      session,
      stage: placingStage(session),
      selected: [],
    });
    button(edit.shadowRoot, texts.edit.tabs.scene).click();
    await drawn(edit);
    const { shadowRoot } = find(edit.shadowRoot, "stoa-surroundings", HTMLElement);
    const pressed = () =>
      [...(shadowRoot?.querySelectorAll("[aria-pressed=true]") ?? [])].map((one) => one.textContent?.trim());
    expect(pressed()).toEqual([presets.forest, ownLight]);
    button(shadowRoot, String(presets.forest)).click();
    button(shadowRoot, String(presets.volcano)).click();
    button(shadowRoot, lights.evening).click();
    await drawn(edit);
    expect(session.asked.filter((asked) => Array.isArray(asked) && asked[0] !== "looks")).toMatchObject([
      ["update", "scene-options", { "env-presets": { preset: "volcano" } }],
      ["update", "scene-options", { "env-presets": { lighting: "none" } }],
      ["create", "lights-evening-sun", { object_type: "light" }, { persist: true }],
      ["create", "lights-evening-sky", {}, {}],
    ]);
  });
});
