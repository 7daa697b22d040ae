/** Creates the meshes of a panel's plates and pictures: rounded rectangles in layers. */
import type { AFrameAdapter, Three } from "../aframe.ts";
import { sizeOf } from "../assets/textures.ts";
import type { Box, PanelPicture, Plate } from "./layout-builder.ts";

/** Gap between layers: looks flat, but is wide enough for a phone's depth buffer. */
const LAYER_M = 0.002;
const PICTURE_Z_M = 0.007;
const BUTTON_PICTURE_Z_M = 0.034;

/** A plate at its position. */
export function plateMesh(aframe: AFrameAdapter, plate: Plate, side: Three.Side): Three.Mesh {
  const { THREE } = aframe;
  const { color, opacity } = plate;
  // Writes depth even if transparent, so that objects behind don't shine through in varying order.
  const paint = { color, opacity, side, transparent: opacity < 1, depthWrite: true, toneMapped: false };
  const mesh = new THREE.Mesh(roundRectangle(aframe, plate, plate.radius), new THREE.MeshBasicMaterial(paint));
  mesh.position.set(plate.x, plate.y, plate.layer * LAYER_M);
  return mesh;
}

/** A loaded picture at its position. With `cover` the texture is cropped to the box. */
export function pictureMesh(aframe: AFrameAdapter, picture: PanelPicture, map: Three.Texture): Three.Mesh {
  const { THREE } = aframe;
  map.colorSpace = THREE.SRGBColorSpace;
  map.anisotropy = 4;
  const { width, height } = sizeOf(map);
  const aspect = width > 0 && height > 0 ? width / height : 1;
  const box = fitted(picture, aspect);
  if (picture.fit === "cover") crop(map, picture.width / picture.height / aspect);
  const paint = { map, transparent: true, side: THREE.DoubleSide, toneMapped: false };
  const mesh = new THREE.Mesh(roundRectangle(aframe, box, picture.radius), new THREE.MeshBasicMaterial(paint));
  mesh.position.set(box.x, box.y, picture.layer === "button" ? BUTTON_PICTURE_Z_M : PICTURE_Z_M);
  return mesh;
}

/** The rectangle of a picture: with `contain` the largest of its aspect ratio, else the whole box. Keeps the centre. */
function fitted({ fit, x, y, width, height }: PanelPicture, aspect: number): Box {
  if (fit !== "contain") return { x, y, width, height };
  return aspect > width / height ? { x, y, width, height: width / aspect } : { x, y, width: height * aspect, height };
}

/** Crops a picture that is too wide (`ratio` below 1) or too high to its centre. */
function crop(map: Three.Texture, ratio: number): void {
  const [u, v] = ratio < 1 ? [ratio, 1] : [1, 1 / ratio];
  map.repeat.set(u, v);
  map.offset.set((1 - u) / 2, (1 - v) / 2);
}

function roundRectangle({ THREE }: AFrameAdapter, { width, height }: Box, radius: number): Three.BufferGeometry {
  const r = Math.max(0, Math.min(radius, width / 2, height / 2));
  const [x, y] = [width / 2 - r, height / 2 - r];
  const shape = new THREE.Shape();
  shape.absarc(x, y, r, 0, Math.PI / 2, false);
  shape.absarc(-x, y, r, Math.PI / 2, Math.PI, false);
  shape.absarc(-x, -y, r, Math.PI, 1.5 * Math.PI, false);
  shape.absarc(x, -y, r, 1.5 * Math.PI, 2 * Math.PI, false);
  const geometry = new THREE.ShapeGeometry(shape, 6);
  const [places, corners] = [geometry.getAttribute("position"), geometry.getAttribute("uv")];
  for (let at = 0; at < places.count; at += 1) {
    corners.setXY(at, places.getX(at) / width + 0.5, places.getY(at) / height + 0.5);
  }
  return geometry;
}
