/** Meshes that a component makes by itself, and how they go away again. */
import type { AFrame, Three } from "./aframe.ts";

type Drawn = Three.Object3D & {
  readonly geometry: Three.BufferGeometry;
  readonly material: Three.Material | Three.Material[];
};

function isDrawn(object: Three.Object3D): object is Drawn {
  return "isMesh" in object || "isLine" in object || "isSprite" in object;
}

function isTexture(value: unknown): value is Three.Texture {
  return typeof value === "object" && value !== null && "isTexture" in value;
}

/** Frees what the graphics card holds of an object and of all below it, and takes it out of its parent. */
export function dispose(root: Three.Object3D): void {
  root.traverse((object) => {
    if (!isDrawn(object)) return;
    object.geometry.dispose();
    for (const material of [object.material].flat()) {
      for (const value of Object.values(material)) if (isTexture(value)) value.dispose();
      material.dispose();
    }
  });
  root.removeFromParent();
}

/** A mesh of one colour, lit by the scene. */
export function coloured(aframe: AFrame, geometry: Three.BufferGeometry, color: string): Three.Mesh {
  const material = new aframe.THREE.MeshStandardMaterial({ color, roughness: 0.6 });
  return new aframe.THREE.Mesh(geometry, material);
}

const LABEL_PIXELS = { width: 512, height: 96 } as const;
const LABEL_HEIGHT_M = 0.12;

/** A name as a sign that faces the viewer: drawn by the browser, so that names of every script are readable. */
export function nameSign(aframe: AFrame, name: string, document: Document): Three.Sprite | null {
  const canvas = document.createElement("canvas");
  canvas.width = LABEL_PIXELS.width;
  canvas.height = LABEL_PIXELS.height;
  const pen = canvas.getContext?.("2d");
  if (!pen) return null;
  pen.font = "500 48px Roboto, 'Noto Sans', system-ui, sans-serif";
  const width = Math.min(LABEL_PIXELS.width, pen.measureText(name).width + 56);
  pen.fillStyle = "rgba(15, 23, 42, 0.72)";
  pen.beginPath();
  pen.roundRect((LABEL_PIXELS.width - width) / 2, 8, width, LABEL_PIXELS.height - 16, 36);
  pen.fill();
  pen.fillStyle = "#ffffff";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(name, LABEL_PIXELS.width / 2, LABEL_PIXELS.height / 2 + 2, LABEL_PIXELS.width - 48);
  const map = new aframe.THREE.CanvasTexture(canvas);
  map.colorSpace = aframe.THREE.SRGBColorSpace;
  const sprite = new aframe.THREE.Sprite(new aframe.THREE.SpriteMaterial({ map, depthWrite: false, fog: false }));
  sprite.scale.set((LABEL_HEIGHT_M * LABEL_PIXELS.width) / LABEL_PIXELS.height, LABEL_HEIGHT_M, 1);
  return sprite;
}
