import type { SceneViewController } from "../../src/scene/stage.ts";

/** A stage that shows nothing; a test overrides the parts that it needs. */
export function fakeStage(some: Partial<SceneViewController> = {}): SceneViewController {
  return {
    dispose: () => undefined,
    select: () => undefined,
    setEditMode: () => undefined,
    setMenu: () => undefined,
    write: () => null,
    mayPlace: () => false,
    placeInRoom: () => undefined,
    leaveXR: () => Promise.resolve(),
    setMove: () => undefined,
    setComfort: () => undefined,
    setDoing: () => undefined,
    react: () => undefined,
    checkModel: () => Promise.resolve(null),
    setMover: () => undefined,
    setGizmo: () => undefined,
    poseIn: () => null,
    thumbnail: () => Promise.resolve(null),
    bodies: () => [],
    brokenOf: () => undefined,
    placeAt: () => ({ x: 0, y: 0, z: 0 }),
    placeAhead: () => ({ x: 0, y: 0, z: 0 }),
    landmarks: () => [],
    goTo: () => undefined,
    credits: () => [],
    heads: () => ({ own: undefined, positionOf: () => undefined, isHidden: () => false }),
    setSpeaking: () => undefined,
    meet: () => undefined,
    hide: () => undefined,
    isHidden: () => false,
    picture: () => Promise.resolve(undefined),
    ...some,
  };
}
