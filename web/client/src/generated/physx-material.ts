// Generated from spec/objects/physx-material.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";

/** Friction and bounce of a body's surface. */
export interface PhysxMaterial {
  /** Layers that it collides with. Default `[1,2,3,4]`. */
  readonly collidesWithLayers?: readonly (number)[];
  /** Group within which nothing collides; 0 is none. Default `0`. */
  readonly collisionGroup?: number;
  /** Layers that it is in. Default `[1]`. */
  readonly collisionLayers?: readonly (number)[];
  /** Distance at which a contact is foreseen. In metres. */
  readonly contactOffset?: number | string;
  /** Mass for each unit of volume. Range: at least 0. */
  readonly density?: number;
  /** Friction in motion. Range: at least 0. Default `0.2`. */
  readonly dynamicFriction?: number;
  /** Distance at which bodies rest. In metres. */
  readonly restOffset?: number | string;
  /** Bounciness. Range: at least 0. Default `0.2`. */
  readonly restitution?: number;
  /** Friction at rest. Range: at least 0. Default `0.2`. */
  readonly staticFriction?: number;
}

/** The schema's description of each attribute of {@link PhysxMaterial}. */
export const physxMaterialAttributes: Group = {
  attributes: {
    collidesWithLayers: { shape: { kind: "array", items: { kind: "number" } }, default: [1, 2, 3, 4] },
    collisionGroup: { shape: { kind: "number" }, default: 0 },
    collisionLayers: { shape: { kind: "array", items: { kind: "number" } }, default: [1] },
    contactOffset: { shape: { kind: "choice", shapes: [{ kind: "number" }, { kind: "text" }] }, unit: "metres" },
    density: { shape: { kind: "number", minimum: 0 } },
    dynamicFriction: { shape: { kind: "number", minimum: 0 }, default: 0.2 },
    restOffset: { shape: { kind: "choice", shapes: [{ kind: "number" }, { kind: "text" }] }, unit: "metres" },
    restitution: { shape: { kind: "number", minimum: 0 }, default: 0.2 },
    staticFriction: { shape: { kind: "number", minimum: 0 }, default: 0.2 },
  },
  prefixes: {
  },
};
