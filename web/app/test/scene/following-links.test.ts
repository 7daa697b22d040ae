import type { MountOptions } from "@stoa/aframe";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { showStage } from "../../src/scene/stage.ts";
import type { StoaQuestionDialog } from "../../src/scene/stoa-ask.ts";
import { act } from "../../src/text-view/object-actions.ts";
import { textObjectOf } from "../../src/text-view/objects.ts";
import { Visit } from "../../src/text-view/visit.ts";
import { FakeSession } from "../support/fake-session.ts";
import { button, drawn, find, show, submit } from "../support/page.ts";
import { texts } from "../support/texts.ts";

/** Presses an object's link. */
type PressLink = (url: string, newTab: boolean) => void;

const left = vi.fn();
const opened = vi.fn();
const travelled = vi.fn();
const canvas = HTMLCanvasElement.prototype;
const getContext = Object.getOwnPropertyDescriptor(canvas, "getContext") ?? {};
let ask: StoaQuestionDialog;

beforeEach(async () => {
  ask = await show(document.createElement("stoa-ask"), {});
  vi.spyOn(location, "assign").mockImplementation(left);
  vi.stubGlobal("open", opened);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  for (const called of [left, opened, travelled]) called.mockReset();
});

/** A link in the 3D view, whose drawing is replaced by a page without WebGL. */
async function inView(): Promise<PressLink> {
  const mounted: MountOptions[] = [];
  const mountScene = (_scene: Element, _session: unknown, options: MountOptions) => {
    mounted.push(options);
    return { dispose: () => undefined };
  };
  vi.doMock("aframe", () => ({ default: {} }));
  vi.doMock("@stoa/aframe", () => ({ mountScene, registerComponents: () => undefined }));
  const webgl = { getExtension: () => null, getParameter: () => "", RENDERER: 0 };
  Object.defineProperty(canvas, "getContext", { ...getContext, value: () => webgl });
  await showStage(document.createElement("div"), new FakeSession(), {
    onTravel: travelled,
    onSelect: () => undefined,
    onHeld: () => undefined,
    onAsk: async () => null,
    mayLeave: (address) => ask.mayLeave(address),
  });
  return (url, newTab) => mounted[0]?.open?.({ url, newTab });
}

/** A link in the text view. */
async function inText(): Promise<PressLink> {
  const base = `${location.origin}/public/lobby`;
  const session = new FakeSession();
  const visit = new Visit({ session, base, body: "half", landmark: "", random: () => 0, onChanged: () => undefined });
  const attributes = { object_type: "box" };
  const object = textObjectOf({ objectId: "gate", type: "object", attributes, persist: true }, base);
  if (object === undefined) throw new Error("there is no gate");
  const context = { visit, scene: "public/lobby", asking: ask, travel: travelled };
  return (url, newTab) => void act({ object, action: { kind: "open", url, newTab } }, context);
}

afterAll(() => {
  Object.defineProperty(canvas, "getContext", getContext);
  vi.doUnmock("aframe");
  vi.doUnmock("@stoa/aframe");
});

describe.each([
  ["3D view", inView],
  ["text view", inText],
] as const)("a link pressed in the %s", (_name, links) => {
  it.each([
    ["/user/v2/logout", false],
    ["/user/v2/logout", true],
    ["https://example.org/far", false],
    ["https://example.org/far", true],
  ])("to %s opens only after the user's consent (new tab: %s)", async (path, newTab) => {
    const press = await links();
    const url = new URL(path, location.origin).href;
    press(url, newTab);
    await drawn(ask);
    expect(find(ask.shadowRoot, "dialog", HTMLElement).textContent).toContain(path);
    button(ask.shadowRoot, texts.ask.cancel).click();
    await drawn(ask);
    expect([left, opened, travelled].flatMap((called) => called.mock.calls)).toEqual([]);
    press(url, newTab);
    await drawn(ask);
    submit(find(ask.shadowRoot, "form", HTMLFormElement));
    await drawn(ask);
    expect((newTab ? opened : left).mock.calls).toHaveLength(1);
    expect((newTab ? left : opened).mock.calls).toEqual([]);
  });

  it("to a stored file opens without a question, and one to a scene enters it", async () => {
    const press = await links();
    press(`${location.origin}/store/users/alice/plan.pdf`, false);
    await drawn(ask);
    expect(left).toHaveBeenCalledTimes(1);
    press(`${location.origin}/public/atrium`, false);
    await drawn(ask);
    expect(travelled).toHaveBeenCalledExactlyOnceWith({ scene: "public/atrium", landmark: "" });
    expect(ask.shadowRoot?.querySelector("dialog")).toBeNull();
  });
});
