import type { Attributes, SceneObject } from "@stoa/client";
import type { Stage } from "../../src/stage.ts";
import type { FakeSession } from "../support/fake-session.ts";

/** A stage that shows nothing and says where things are by their own position. */
export function fakeStage(session: FakeSession): Stage {
  return {
    dispose: () => undefined,
    select: () => undefined,
    setEditMode: () => undefined,
    setMenu: () => undefined,
    write: () => null,
    mayPlace: () => false,
    placeInRoom: () => undefined,
    leaveXR: () => Promise.resolve(),
    setMover: () => undefined,
    setGizmo: () => undefined,
    setMove: () => undefined,
    landmarks: () => [],
    goTo: () => undefined,
    credits: () => [],
    meet: () => undefined,
    hide: () => undefined,
    isHidden: () => false,
    picture: () => Promise.resolve(undefined),
    setComfort: () => undefined,
    setDoing: () => undefined,
    react: () => undefined,
    checkModel: () => Promise.resolve(null),
    placeAhead: () => ({ x: 1, y: 0, z: -2 }),
    thumbnail: () => Promise.resolve(null),
    placeAt: () => ({ x: 0, y: 0, z: 0 }),
    poseIn: (objectId) => {
      const position = session.objects.get(objectId)?.attributes.position;
      const at = typeof position === "object" && position !== null ? Object.fromEntries(Object.entries(position)) : {};
      const place = { x: Number(at.x ?? 0), y: Number(at.y ?? 0), z: Number(at.z ?? 0) };
      return { position: place, rotation: { x: 0, y: 0, z: 0, w: 1 }, scale: { x: 1, y: 1, z: 1 } };
    },
  };
}

/** Puts an object into a scene. */
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
