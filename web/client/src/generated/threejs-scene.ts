// Generated from spec/objects/threejs-scene.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A scene that three.js wrote as JSON; `url` names it. */
export interface ThreejsScene extends AnyObject {
  readonly object_type: "threejs-scene";
}

/** The schema's description of each attribute of {@link ThreejsScene}. */
export const threejsSceneAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
  },
  prefixes: {
  },
};
