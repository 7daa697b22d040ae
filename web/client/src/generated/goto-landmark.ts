// Generated from spec/objects/goto-landmark.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Takes the person to a landmark at a click. */
export interface GotoLandmark {
  /** Id of the landmark to go to. */
  readonly landmark?: string;
  /** Event at which it happens. Default `"mousedown"`. */
  readonly on?: "mousedown" | "mouseup";
}

/** The schema's description of each attribute of {@link GotoLandmark}. */
export const gotoLandmarkAttributes: Group = {
  attributes: {
    landmark: { shape: { kind: "text" }, reference: true },
    on: { shape: { kind: "text", values: ["mousedown", "mouseup"] }, default: "mousedown", required: true },
  },
  prefixes: {
  },
};
