/** The page under test: a scene with a fake session. `?xr` adds an emulated headset. */
import { FakeSession } from "../../test/fake-session.ts";

declare global {
  /** The test's access to the page's state. */
  var underTest: Readonly<Record<string, unknown>>;
}

async function headset(): Promise<unknown> {
  const { metaQuest3, XRDevice } = await import("iwer");
  const device = new XRDevice(metaQuest3);
  device.installRuntime({ forceInstall: true });
  return device;
}

async function start(): Promise<void> {
  const xr = new URLSearchParams(location.search).has("xr") ? await headset() : null;
  const { default: aframe } = await import("aframe");
  const { mountScene, registerComponents } = await import("../../src/index.ts");
  // A test can stop time by setting `ms`.
  const clock: { ms: number | null } = { ms: null };
  const now = () => clock.ms ?? performance.now();
  registerComponents(aframe, { now });
  const scene = document.createElement("a-scene");
  scene.setAttribute("webxr", "optionalFeatures: bounded-floor, hand-tracking, hit-test");
  document.body.append(scene);
  const session = new FakeSession();
  const opened: unknown[] = [];
  const held: boolean[] = [];
  const keyboard = {
    letters: ["qwertyuiop", "asdfghjkl", "zxcvbnm"],
    signs: ["1234567890", "-/:;()&@", ".?!'"],
    beside: [",", "."] as const,
    shift: "Abc",
    toSigns: "123",
    toLetters: "abc",
    backspace: "Delete",
    space: "Space",
    send: "Send",
    close: "Close",
  };
  const words = { menu: "Menu", close: "Close", place: "Look at the floor", keep: "Leave it", keyboard };
  const view = mountScene(scene, session, {
    now,
    words,
    open: (request) => opened.push(request),
    onHeld: (isHeld) => held.push(isHeld),
  });
  globalThis.underTest = { aframe, scene, session, view, opened, held, xr, clock };
  await new Promise((resolve) => scene.addEventListener("loaded", resolve, { once: true }));
  document.body.dataset.ready = "true";
}

void start();
