/** Creates the chain of post-processing effects of a scene. This module loads when a scene first uses an effect. */
import { Vector2 } from "three";
import { EffectComposer } from "three/addons/postprocessing/EffectComposer.js";
import { FXAAPass } from "three/addons/postprocessing/FXAAPass.js";
import { GlitchPass } from "three/addons/postprocessing/GlitchPass.js";
import { OutputPass } from "three/addons/postprocessing/OutputPass.js";
import type { Pass } from "three/addons/postprocessing/Pass.js";
import { RenderPass } from "three/addons/postprocessing/RenderPass.js";
import { RenderPixelatedPass } from "three/addons/postprocessing/RenderPixelatedPass.js";
import { SAOPass } from "three/addons/postprocessing/SAOPass.js";
import { SMAAPass } from "three/addons/postprocessing/SMAAPass.js";
import { SSAOPass } from "three/addons/postprocessing/SSAOPass.js";
import { UnrealBloomPass } from "three/addons/postprocessing/UnrealBloomPass.js";
import type { Three } from "../aframe.ts";
import type { Effect } from "../mapping/post-processing.ts";
import { finite, flag } from "../values.ts";

/** Renders a scene with effects. */
export interface Composer {
  render(deltaS: number): void;
  setSize(width: number, height: number, pixelRatio: number): void;
  dispose(): void;
}

export interface RenderInput {
  readonly renderer: Three.WebGLRenderer;
  readonly scene: Three.Object3D;
  readonly camera: Three.Camera;
}

/** Creates the effect chain of a scene. */
export function composerOf({ renderer, scene, camera }: RenderInput, effects: readonly Effect[]): Composer {
  const composer = new EffectComposer(renderer);
  const stage = asScene(scene);
  if (!effects.some(({ name }) => name === "pixel")) composer.addPass(new RenderPass(stage, camera));
  const passes: Pass[] = [];
  for (const effect of effects) passes.push(passOf(effect, stage, camera));
  const smooths = (pass: Pass): boolean => pass instanceof FXAAPass || pass instanceof SMAAPass;
  for (const pass of passes) if (!smooths(pass)) composer.addPass(pass);
  // Antialiasing works on display colours, so it follows the output pass.
  composer.addPass(new OutputPass());
  for (const pass of passes) if (smooths(pass)) composer.addPass(pass);
  return {
    render: (deltaS) => composer.render(deltaS),
    setSize: (width, height, pixelRatio) => {
      composer.setPixelRatio(pixelRatio);
      composer.setSize(width, height);
    },
    dispose: () => {
      for (const pass of composer.passes) pass.dispose();
      composer.dispose();
    },
  };
}

function asScene(scene: Three.Object3D): Three.Scene {
  if (!isScene(scene)) throw new Error("expected a three.js Scene");
  return scene;
}

function isScene(scene: Three.Object3D): scene is Three.Scene {
  return "isScene" in scene;
}

/** The camera range for which the default values of `sao` are tuned. */
const SAO_REACH_M = 20;

function isPerspective(camera: Three.Camera): camera is Three.PerspectiveCamera {
  return "isPerspectiveCamera" in camera;
}

function passOf({ name, settings }: Effect, scene: Three.Scene, camera: Three.Camera): Pass {
  const number = (key: string): number => finite(settings[key]) ?? 0;
  switch (name) {
    case "bloom": {
      const size = new Vector2(number("resolution"), number("resolution"));
      return new UnrealBloomPass(size, number("strength"), number("radius"), number("threshold"));
    }
    case "ssao":
      return Object.assign(new SSAOPass(scene, camera), {
        kernelRadius: number("kernelRadius"),
        minDistance: number("minDistance"),
        maxDistance: number("maxDistance"),
      });
    case "sao": {
      const pass = new SAOPass(scene, camera);
      const keys = Object.keys(settings).filter((key) => key.startsWith("sao"));
      Object.assign(pass.params, Object.fromEntries(keys.map((key) => [key, flag(settings[key]) ?? number(key)])));
      // The pass measures distances as a share of the camera's range. Values for a room would blacken a landscape.
      if (isPerspective(camera)) pass.params.saoScale *= camera.far / SAO_REACH_M;
      return pass;
    }
    case "pixel": {
      const [normalEdgeStrength, depthEdgeStrength] = [number("normalEdgeStrength"), number("depthEdgeStrength")];
      return new RenderPixelatedPass(number("pixelSize"), scene, camera, { normalEdgeStrength, depthEdgeStrength });
    }
    case "glitch":
      return new GlitchPass(Math.max(1, Math.round(number("dtSize"))));
    case "smaa":
      return new SMAAPass();
    case "fxaa":
      return new FXAAPass();
  }
}
