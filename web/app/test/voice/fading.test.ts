import type { Attributes } from "@stoa/client";
import { DEFAULT_FADING } from "@stoa/voice";
import { describe, expect, it } from "vitest";
import { fadingIn } from "../../src/voice/fading.ts";
import { FakeSession } from "../support/fake-session.ts";

/** A session with these scene options. */
function inScene(options: unknown): FakeSession {
  const session = new FakeSession();
  const attributes: Attributes = { "scene-options": options };
  session.objects.set("scene-options", { objectId: "scene-options", type: "scene-options", attributes, persist: true });
  return session;
}

describe("the fading of voices", () => {
  it("is that of the open without scene options, or with none about voices", () => {
    expect(fadingIn(new FakeSession())).toEqual(DEFAULT_FADING);
    expect(fadingIn(inScene({ fly: true }))).toEqual(DEFAULT_FADING);
    expect(fadingIn(inScene("none"))).toEqual(DEFAULT_FADING);
  });

  it("follows the scene's options, also those that an older client sent as text", () => {
    const options = { distanceModel: "linear", refDistance: 3, rolloffFactor: "0.5", volume: 0 };
    expect(fadingIn(inScene(options))).toEqual({ ...options, rolloffFactor: 0.5 });
  });

  it("has no voice louder than it was sent, as with other sounds", () => {
    expect(fadingIn(inScene({ volume: 1_000 })).volume).toBe(1);
  });

  it("keeps large distances finite", () => {
    expect(fadingIn(inScene({ refDistance: 1e300, rolloffFactor: 1e300 }))).toMatchObject({
      refDistance: 1e6,
      rolloffFactor: 1e6,
    });
  });

  it.each([-1, "-1", Number.NaN, Number.POSITIVE_INFINITY, "loud", null, true])("keeps its default for %s", (wrong) => {
    const options = { distanceModel: wrong, refDistance: wrong, rolloffFactor: wrong, volume: wrong };
    expect(fadingIn(inScene(options))).toEqual(DEFAULT_FADING);
  });
});
