import { beforeEach, expect, test } from "vitest";
import type { SceneElement } from "../../src/aframe.ts";
import { HeldButtonBehaviour } from "../../src/pressing/stoa-held-button.ts";
import { stubScene } from "../stub-aframe.ts";

let scene: SceneElement & { readonly states?: Set<string> };
let session: EventTarget & { visibilityState: string; inputSources: unknown[] };
let lower: { pressed: boolean };
let button: HeldButtonBehaviour;
let told: boolean[];

/** Presses or releases the lower button, for one render frame. */
function hold(isHeld: boolean): void {
  lower.pressed = isHeld;
  button.tick();
}

beforeEach(() => {
  scene = stubScene();
  [lower, told] = [{ pressed: false }, []];
  const buttons = [{}, {}, {}, {}, lower, { pressed: false }];
  session = Object.assign(new EventTarget(), {
    visibilityState: "visible",
    inputSources: [{ gamepad: null }, { gamepad: { buttons } }] as unknown[],
  });
  button = new HeldButtonBehaviour(scene);
  button.onHeld = (isHeld) => told.push(isHeld);
  Object.assign(scene, { xrSession: session });
  scene.states?.add("vr-mode");
  scene.dispatchEvent(new Event("enter-vr"));
});

test("the lower button of a controller is told once when it is pressed and when it is released", () => {
  hold(false);
  hold(true);
  hold(true);
  hold(false);
  expect(told).toEqual([true, false]);
});

test("the only button of a controller opens the menu, and is none to hold", () => {
  session.inputSources = [{ gamepad: { buttons: [{}, {}, {}, {}, lower] } }];
  hold(true);
  expect(told).toEqual([]);
});

test("outside of VR and AR no button is held", () => {
  scene.states?.clear();
  hold(true);
  expect(told).toEqual([]);
  scene.states?.add("ar-mode");
  hold(true);
  expect(told).toEqual([true]);
});

test("the end of the session releases the button without a render frame", () => {
  hold(true);
  scene.dispatchEvent(new Event("exit-vr"));
  expect(told).toEqual([true, false]);
});

test("the headset's own menu releases the button, which counts again afterwards", () => {
  hold(true);
  session.visibilityState = "visible-blurred";
  session.dispatchEvent(new Event("visibilitychange"));
  expect(told).toEqual([true, false]);
  hold(true);
  expect(told.length, "its controllers belong to the menu").toBe(2);
  session.visibilityState = "visible";
  session.dispatchEvent(new Event("visibilitychange"));
  hold(true);
  expect(told).toEqual([true, false, true]);
});

test("a removed component releases the button and follows no session", () => {
  hold(true);
  button.remove();
  scene.dispatchEvent(new Event("exit-vr"));
  expect(told).toEqual([true, false]);
});
