// Generated from spec/objects/portal.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Takes people to another scene of this realm when they walk into it or press it. */
export interface Portal {
  /** Id of the landmark at which people arrive; empty: where the scene begins. Default `""`. */
  readonly landmark?: string;
  /** Distance from its centre at which people have walked into it; 0: only a press counts. In metres. Range: at least 0. Default `1`. */
  readonly radius?: number;
  /** Namespace and name of the scene, as `public/lobby`. */
  readonly scene?: string;
}

/** The schema's description of each attribute of {@link Portal}. */
export const portalAttributes: Group = {
  attributes: {
    landmark: { shape: { kind: "text" }, default: "" },
    radius: { shape: { kind: "number", minimum: 0 }, default: 1, cap: 100, unit: "metres" },
    scene: { shape: { kind: "text" }, required: true },
  },
  prefixes: {
  },
};
