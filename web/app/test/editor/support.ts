import type { Attributes, SceneObject } from "@stoa/client";
import type { SceneViewController } from "../../src/scene/stage.ts";
import type { FakeSession } from "../support/fake-session.ts";
import { fakeStage } from "../support/fake-stage.ts";

/** A stage that takes objects' positions from their attributes. */
export function placingStage(session: FakeSession): SceneViewController {
  return fakeStage({
    placeAhead: (distanceM) => ({ x: 1, y: 0, z: 1 - distanceM }),
    poseIn: (objectId) => {
      const position = session.objects.get(objectId)?.attributes.position;
      const at = typeof position === "object" && position !== null ? Object.fromEntries(Object.entries(position)) : {};
      const place = { x: Number(at.x ?? 0), y: Number(at.y ?? 0), z: Number(at.z ?? 0) };
      return { position: place, rotation: { x: 0, y: 0, z: 0, w: 1 }, scale: { x: 1, y: 1, z: 1 } };
    },
  });
}

/** Adds an object to the session's scene. */
export function put(session: FakeSession, objectId: string, attributes: Attributes = {}): SceneObject {
  const object: SceneObject = {
    objectId,
    type: "object",
    attributes: { object_type: "box", position: { x: 0, y: 1, z: 0 }, ...attributes },
    persist: true,
  };
  session.objects.set(objectId, object);
  return object;
}
