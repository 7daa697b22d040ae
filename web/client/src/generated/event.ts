// Generated from spec/objects/event.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type ClickPos, clickPosAttributes } from "./clickPos.ts";
import { type Vector3, vector3Attributes } from "./vector3.ts";

/** The `data` of a client event. */
export interface ClientEventAttributes {
  /** Place of that button in its panel, from 0. Range: at least 0. */
  readonly buttonIndex?: number;
  /** Name of the button that was pressed. */
  readonly buttonName?: string;
  /** Position of the person, as in `originPosition`. @deprecated */
  readonly clickPos?: ClickPos;
  /** From where it was pointed. In metres. Default `{"x":0,"y":1.6,"z":0}`. */
  readonly originPosition?: Vector3;
  /** Id of the person; the message's `object_id` says it. @deprecated */
  readonly source?: string;
  /** Id of the object that was met. */
  readonly target?: string;
  /** Point at which the target was hit. In metres. */
  readonly targetPosition?: Vector3;
  /** The typed text. */
  readonly text?: string;
}

/** The schema's description of each attribute of {@link ClientEventAttributes}. */
export const eventAttributes: Group = {
  attributes: {
    buttonIndex: { shape: { kind: "integer", minimum: 0 } },
    buttonName: { shape: { kind: "text" } },
    clickPos: { shape: { kind: "group", group: clickPosAttributes }, deprecated: true },
    originPosition: { shape: { kind: "group", group: vector3Attributes }, default: { x: 0, y: 1.6, z: 0 }, unit: "metres" },
    source: { shape: { kind: "text" }, deprecated: true },
    target: { shape: { kind: "text" }, required: true },
    targetPosition: { shape: { kind: "group", group: vector3Attributes }, unit: "metres", required: true },
    text: { shape: { kind: "text" } },
  },
  prefixes: {
  },
};
