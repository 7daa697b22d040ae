/** Creates coloured meshes and name signs, and frees the GPU resources of three.js objects. */
import type { AFrameAdapter, Three } from "./aframe.ts";

type DrawableObject3D = Three.Object3D & {
  readonly geometry: Three.BufferGeometry;
  readonly material: Three.Material | Three.Material[];
};

function isDrawn(object: Three.Object3D): object is DrawableObject3D {
  return "isMesh" in object || "isLine" in object || "isSprite" in object || "isPoints" in object;
}

function isInstanced(object: Three.Object3D): object is Three.InstancedMesh {
  return "isInstancedMesh" in object;
}

function isTexture(value: unknown): value is Three.Texture {
  return typeof value === "object" && value !== null && "isTexture" in value;
}

/** Frees the GPU resources of an object and its descendants, and removes it from its parent. */
export function dispose(root: Three.Object3D): void {
  root.traverse((object) => {
    if (!isDrawn(object)) return;
    object.geometry.dispose();
    // The instance matrices and colours are buffers outside the geometry.
    if (isInstanced(object)) object.dispose();
    for (const material of [object.material].flat()) {
      for (const value of Object.values(material)) if (isTexture(value)) value.dispose();
      material.dispose();
    }
  });
  root.removeFromParent();
}

/** A matte mesh of one colour, lit by the scene. */
export function coloured(
  aframe: AFrameAdapter,
  geometry: Three.BufferGeometry,
  color: Three.ColorRepresentation,
): Three.Mesh {
  const material = new aframe.THREE.MeshLambertMaterial({ color });
  return new aframe.THREE.Mesh(geometry, material);
}

const LABEL_FONT = "600 56px Roboto, 'Noto Sans', system-ui, sans-serif";
const LABEL_PIXELS = { widthMax: 768, height: 96, margin: 30, radius: 32 } as const;

/** A name as a sprite one metre high that faces the viewer. The browser draws the text, so every script is readable. */
export function nameSign(aframe: AFrameAdapter, name: string, document: Document): Three.Sprite | null {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext?.("2d");
  if (!pen) return null;
  const { height, margin, radius, widthMax } = LABEL_PIXELS;
  pen.font = LABEL_FONT;
  const width = Math.min(widthMax, Math.ceil(pen.measureText(name).width) + 2 * margin);
  // Resizing a canvas resets its drawing state.
  Object.assign(canvas, { width, height });
  pen.fillStyle = "rgba(15, 23, 42, 0.82)";
  pen.beginPath();
  pen.roundRect(2, 2, width - 4, height - 4, radius);
  pen.fill();
  // The outline separates a dark sign from a dark wall.
  Object.assign(pen, { lineWidth: 4, strokeStyle: "rgba(255, 255, 255, 0.75)" });
  pen.stroke();
  Object.assign(pen, { font: LABEL_FONT, fillStyle: "#ffffff", textAlign: "center", textBaseline: "middle" });
  pen.fillText(name, width / 2, height / 2 + 4, width - margin);
  const map = new aframe.THREE.CanvasTexture(canvas);
  map.colorSpace = aframe.THREE.SRGBColorSpace;
  map.anisotropy = 4;
  const sprite = new aframe.THREE.Sprite(new aframe.THREE.SpriteMaterial({ map, depthWrite: false, fog: false }));
  sprite.center.set(0.5, 0);
  sprite.scale.set(width / height, 1, 1);
  return sprite;
}
