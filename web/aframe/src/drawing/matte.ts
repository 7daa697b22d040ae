/** The shader of matte surfaces, without gloss and textures. It costs about half of A-Frame's standard shader. */
import type { AFrameAdapter, Three } from "../aframe.ts";
import { MATTE } from "../mapping/material.ts";

/** Settings besides those that A-Frame gives every material. */
export interface MatteMaterialSettings {
  readonly color: string;
  readonly emissive: string;
  readonly emissiveIntensity: number;
  readonly fog: boolean;
  readonly wireframe: boolean;
}

/** Registers the matte shader. */
export function registerMatte(aframe: AFrameAdapter): void {
  aframe.registerShader<MatteMaterialSettings, Three.MeshLambertMaterial>({
    name: MATTE,
    schema: {
      color: { type: "color", default: "#ffffff" },
      emissive: { type: "color", default: "#000000" },
      emissiveIntensity: { type: "number", default: 1 },
      fog: { type: "boolean", default: true },
      wireframe: { type: "boolean", default: false },
    },
    make: () => new aframe.THREE.MeshLambertMaterial(),
    update(material, { color, emissive, emissiveIntensity, fog, wireframe }) {
      material.color.set(color);
      material.emissive.set(emissive);
      Object.assign(material, { emissiveIntensity, fog, wireframe });
    },
  });
}
