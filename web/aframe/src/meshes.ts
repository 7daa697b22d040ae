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

/** Marks of a speaking person's sign. The glyph is a loudspeaker on a square as high as the text. */
const SPEAKING = { color: "#4ade80", linePixels: 12, glyphPixels: 56, gapPixels: 16 } as const;

/** Content of a name sign. */
export interface NameSign {
  readonly name: string;
  /** Whether a coloured border and a loudspeaker mark the person as speaking; default false. */
  readonly speaking?: boolean;
}

/** A name as a sprite one metre high that faces the viewer. The browser draws the text, so every script is readable. */
export function nameSign(aframe: AFrameAdapter, sign: NameSign, document: Document): Three.Sprite | null {
  const { name, speaking = false } = sign;
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext?.("2d");
  if (!pen) return null;
  const { height, margin, radius, widthMax } = LABEL_PIXELS;
  pen.font = LABEL_FONT;
  const glyph = speaking ? SPEAKING.glyphPixels + SPEAKING.gapPixels : 0;
  const width = Math.min(widthMax, Math.ceil(pen.measureText(name).width) + 2 * margin + glyph);
  // Resizing a canvas resets its drawing state.
  Object.assign(canvas, { width, height });
  pen.fillStyle = "rgba(15, 23, 42, 0.82)";
  pen.beginPath();
  const lineWidth = speaking ? SPEAKING.linePixels : 4;
  pen.roundRect(lineWidth / 2, lineWidth / 2, width - lineWidth, height - lineWidth, radius);
  pen.fill();
  // The outline separates a dark sign from a dark wall.
  Object.assign(pen, { lineWidth, strokeStyle: speaking ? SPEAKING.color : "rgba(255, 255, 255, 0.75)" });
  pen.stroke();
  if (speaking) drawLoudspeaker(pen, margin, (height - SPEAKING.glyphPixels) / 2);
  Object.assign(pen, { font: LABEL_FONT, fillStyle: "#ffffff", textAlign: "center", textBaseline: "middle" });
  pen.fillText(name, (width + glyph) / 2, height / 2 + 4, width - margin - glyph);
  const map = new aframe.THREE.CanvasTexture(canvas);
  map.colorSpace = aframe.THREE.SRGBColorSpace;
  map.anisotropy = 4;
  const sprite = new aframe.THREE.Sprite(new aframe.THREE.SpriteMaterial({ map, depthWrite: false, fog: false }));
  sprite.center.set(0.5, 0);
  sprite.scale.set(width / height, 1, 1);
  return sprite;
}

/** Draws a loudspeaker with two waves from its upper left corner. */
function drawLoudspeaker(pen: CanvasRenderingContext2D, left: number, top: number): void {
  const unit = SPEAKING.glyphPixels / 8;
  const [x, y] = [(units: number) => left + units * unit, (units: number) => top + units * unit];
  pen.beginPath();
  pen.moveTo(x(0), y(2.7));
  for (const [toX, toY] of [
    [1.6, 2.7],
    [3.8, 0.8],
    [3.8, 7.2],
    [1.6, 5.3],
    [0, 5.3],
  ] as const)
    pen.lineTo(x(toX), y(toY));
  pen.closePath();
  Object.assign(pen, { fillStyle: SPEAKING.color, strokeStyle: SPEAKING.color, lineWidth: unit, lineCap: "round" });
  pen.fill();
  for (const radius of [1.6, 3.4]) {
    pen.beginPath();
    pen.arc(x(4), y(4), radius * unit, -Math.PI / 4, Math.PI / 4);
    pen.stroke();
  }
}
