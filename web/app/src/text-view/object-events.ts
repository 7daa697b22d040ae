/** Sends the events of actions on objects, as a press in the 3D view would. */
import { bag, componentSettings, INPUT_TEXT_LENGTH_MAX } from "@stoa/aframe/meaning";
import type { SceneSession, Vector3 } from "@stoa/client";
import { PARENTS_MAX } from "../limits.ts";

/** A press on an object: its position and the presser's. */
export interface ObjectPressInput {
  readonly objectId: string;
  readonly at: Vector3;
  readonly from: Vector3;
}

/** Presses and releases an object, and its ancestors that listen for presses. */
export function press(session: SceneSession, { objectId, at, from }: ObjectPressInput, base: string): void {
  const targets = pressed(session, objectId, base);
  for (const type of ["mousedown", "mouseup"])
    for (const target of targets) session.sendEvent({ type, target, targetPosition: at, originPosition: from });
}

/** Presses a button of a panel. */
export function pressButton(
  session: SceneSession,
  { objectId, at, from }: ObjectPressInput,
  { name, index }: { readonly name: string; readonly index: number | null },
): void {
  const more = { buttonName: name, ...(index === null ? {} : { buttonIndex: index }) };
  session.sendEvent({ type: "buttonClick", target: objectId, targetPosition: at, originPosition: from, more });
}

/** Sends typed text. As in ARENA, an empty answer isn't sent and a long one is cut. Returns whether it was sent. */
export function answer(session: SceneSession, objectId: string, typed: string | null): boolean {
  if (typed === null || typed === "") return false;
  const text = [...typed].slice(0, INPUT_TEXT_LENGTH_MAX).join("");
  session.sendEvent({ type: "textinput", target: objectId, more: { text } });
  return true;
}

/** The listening objects, outermost first, in the order of the 3D view. */
function pressed(session: SceneSession, objectId: string, base: string): readonly string[] {
  const targets: string[] = [];
  let at: string | undefined = objectId;
  for (let depth = 0; depth < PARENTS_MAX && at !== undefined; depth += 1) {
    const object = session.objects.get(at);
    if (object === undefined) break;
    const click = bag(componentSettings(object.attributes, base)["stoa-clickable"]);
    if (click !== undefined && click.silent !== true) targets.unshift(at);
    if (click !== undefined && click.bubble === false) break;
    at = typeof object.attributes.parent === "string" ? object.attributes.parent : undefined;
  }
  return targets;
}
