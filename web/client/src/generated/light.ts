// Generated from spec/objects/light.json by cargo xtask gen. Do not edit.
import type { Group } from "../attribute-check.ts";
import { type AnyObject, anyObjectAttributes } from "./any-object.ts";

/** A light. */
export interface Light extends AnyObject {
  readonly object_type: "light";
  /** Half the opening of a spot light's cone. In degrees. Range: 0 to 180. Default `60`. */
  readonly angle?: number;
  /** Whether objects in this light cast shadows. Default `false`. */
  readonly castShadow?: boolean;
  /** Colour of the light. Default `"#FFF"`. */
  readonly color?: string;
  /** Decay of the light with distance. Range: at least 0. Default `1`. */
  readonly decay?: number;
  /** Beyond which distance the light is gone; 0 is never. In metres. Range: at least 0. Default `0`. */
  readonly distance?: number;
  /** Colour of the light from below, for a hemisphere light. Default `"#FFF"`. */
  readonly groundColor?: string;
  /** Strength of the light. Range: at least 0. Default `3.14`. */
  readonly intensity?: number;
  /** Share of a spot light's cone that is a soft edge. Range: 0 to 1. Default `0`. */
  readonly penumbra?: number;
  /** Small offset of depths, against stripes in shadows. Default `0`. */
  readonly shadowBias?: number;
  /** Lower edge of the region in which a directional light's shadows are found. In metres. Default `-5`. */
  readonly shadowCameraBottom?: number;
  /** Furthest distance at which objects cast shadows. In metres. Range: at least 0. Default `500`. */
  readonly shadowCameraFar?: number;
  /** Opening of the view from which a point or spot light's shadows are found. In degrees. Range: 0 to 180. Default `90`. */
  readonly shadowCameraFov?: number;
  /** Left edge of the region in which a directional light's shadows are found. In metres. Default `-5`. */
  readonly shadowCameraLeft?: number;
  /** Nearest distance at which objects cast shadows. In metres. Range: at least 0. Default `0.5`. */
  readonly shadowCameraNear?: number;
  /** Right edge of the region in which a directional light's shadows are found. In metres. Default `5`. */
  readonly shadowCameraRight?: number;
  /** Upper edge of the region in which a directional light's shadows are found. In metres. Default `5`. */
  readonly shadowCameraTop?: number;
  /** Whether that region is drawn, to find mistakes. Default `false`. */
  readonly shadowCameraVisible?: boolean;
  /** Height of the shadow texture. In px. Range: at least 1. Default `512`. */
  readonly shadowMapHeight?: number;
  /** Width of the shadow texture. In px. Range: at least 1. Default `512`. */
  readonly shadowMapWidth?: number;
  /** Softness of the edges of shadows. Range: at least 0. Default `1`. */
  readonly shadowRadius?: number;
  /** Id of the object that a directional or spot light points to. */
  readonly target?: string;
  /** Kind of light. Default `"directional"`. */
  readonly type?: "ambient" | "directional" | "hemisphere" | "point" | "spot";
}

/** The schema's description of each attribute of {@link Light}. */
export const lightAttributes: Group = {
  base: anyObjectAttributes,
  attributes: {
    angle: { shape: { kind: "number", minimum: 0, maximum: 180 }, default: 60, unit: "degrees" },
    castShadow: { shape: { kind: "boolean" }, default: false },
    color: { shape: { kind: "text" }, default: "#FFF", format: "color" },
    decay: { shape: { kind: "number", minimum: 0 }, default: 1 },
    distance: { shape: { kind: "number", minimum: 0 }, default: 0, unit: "metres" },
    groundColor: { shape: { kind: "text" }, default: "#FFF", format: "color" },
    intensity: { shape: { kind: "number", minimum: 0 }, default: 3.14 },
    penumbra: { shape: { kind: "number", minimum: 0, maximum: 1 }, default: 0 },
    shadowBias: { shape: { kind: "number" }, default: 0 },
    shadowCameraBottom: { shape: { kind: "number" }, default: -5, unit: "metres" },
    shadowCameraFar: { shape: { kind: "number", minimum: 0 }, default: 500, unit: "metres" },
    shadowCameraFov: { shape: { kind: "number", minimum: 0, maximum: 180 }, default: 90, unit: "degrees" },
    shadowCameraLeft: { shape: { kind: "number" }, default: -5, unit: "metres" },
    shadowCameraNear: { shape: { kind: "number", minimum: 0 }, default: 0.5, unit: "metres" },
    shadowCameraRight: { shape: { kind: "number" }, default: 5, unit: "metres" },
    shadowCameraTop: { shape: { kind: "number" }, default: 5, unit: "metres" },
    shadowCameraVisible: { shape: { kind: "boolean" }, default: false },
    shadowMapHeight: { shape: { kind: "integer", minimum: 1 }, default: 512, unit: "px" },
    shadowMapWidth: { shape: { kind: "integer", minimum: 1 }, default: 512, unit: "px" },
    shadowRadius: { shape: { kind: "number", minimum: 0 }, default: 1 },
    target: { shape: { kind: "text" }, reference: true },
    type: { shape: { kind: "text", values: ["ambient", "directional", "hemisphere", "point", "spot"] }, default: "directional" },
  },
  prefixes: {
  },
};
