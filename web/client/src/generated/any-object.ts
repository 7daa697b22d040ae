// Generated from spec/objects/any-object.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-decoder.ts";
import { type ClickListener, clickListenerAttributes } from "./click-listener.ts";
import { type Material, materialAttributes } from "./material.ts";
import { type Vector3, vector3Attributes } from "./vector3.ts";

/** Any. */
export interface AnyObject {
  /** Clicks. */
  readonly "click-listener"?: boolean | string | ClickListener;
  /** Looks. */
  readonly material?: Material;
  /** Parent. */
  readonly parent?: string;
  /** Where. */
  readonly position?: Vector3;
  /** More. */
  readonly [key: `material__${string}`]: Material | undefined;
}

/** What the schema says of each attribute of {@link AnyObject}. */
export const anyObjectAttributes: Group = {
  attributes: {
    "click-listener": { shape: { kind: "choice", shapes: [{ kind: "boolean" }, { kind: "text" }, { kind: "group", group: clickListenerAttributes }] } },
    material: { shape: { kind: "group", group: materialAttributes } },
    parent: { shape: { kind: "text" } },
    position: { shape: { kind: "group", group: vector3Attributes } },
  },
  prefixes: {
    material__: { shape: { kind: "group", group: materialAttributes } },
  },
};
