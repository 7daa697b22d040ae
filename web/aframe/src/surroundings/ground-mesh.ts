/** The ground's mesh: vertices from `terrain.ts`, pattern and grid from canvas textures of 20 by 20 metres. */
import type { AFrameAdapter, Three } from "../aframe.ts";
import type { Ground, Surroundings } from "./environment.ts";
import { seeded, type TerrainHeightMap } from "./terrain.ts";

const TILE_M = 20;
const TILE_PIXELS = 1_024;

/** The ground as one mesh. */
export function groundMesh(
  aframe: AFrameAdapter,
  surroundings: Surroundings,
  terrain: TerrainHeightMap,
  document: Document,
): Three.Mesh {
  const { THREE } = aframe;
  const { ground, seed, flatShading } = surroundings;
  const material = new THREE.MeshLambertMaterial({ color: ground.color, flatShading });
  const tiles = [terrain.sizeX / TILE_M, terrain.sizeZ / TILE_M] as const;
  const pattern = ground.texture === "none" ? null : tile(aframe, document, (pen) => drawPattern(pen, ground, seed));
  const grid = ground.grid === "none" ? null : tile(aframe, document, (pen) => drawGrid(pen, ground));
  if (pattern) {
    pattern.repeat.set(...tiles);
    material.color.set("#ffffff");
    material.map = pattern;
  }
  if (grid) {
    // An emissive map keeps the grid visible at night.
    grid.repeat.set(...tiles);
    material.emissive.set("#ffffff");
    material.emissiveMap = grid;
  }
  const mesh = new THREE.Mesh(surface(aframe, terrain), material);
  // Slightly below zero, against z-fighting with a floor at zero.
  mesh.position.y = -0.02;
  mesh.receiveShadow = true;
  return mesh;
}

function surface({ THREE }: AFrameAdapter, terrain: TerrainHeightMap): Three.BufferGeometry {
  const cells = terrain.side - 1;
  const geometry = new THREE.PlaneGeometry(terrain.sizeX, terrain.sizeZ, cells, cells);
  geometry.rotateX(-Math.PI / 2);
  const positions = geometry.getAttribute("position");
  terrain.heights.forEach((height, at) => {
    positions.setY(at, height);
  });
  geometry.computeVertexNormals();
  return geometry;
}

function tile(
  { THREE }: AFrameAdapter,
  document: Document,
  draw: (pen: CanvasRenderingContext2D) => void,
): Three.CanvasTexture | null {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext?.("2d");
  if (!pen) return null;
  Object.assign(canvas, { width: TILE_PIXELS, height: TILE_PIXELS });
  draw(pen);
  const texture = new THREE.CanvasTexture(canvas);
  texture.wrapS = THREE.RepeatWrapping;
  texture.wrapT = THREE.RepeatWrapping;
  texture.anisotropy = 4;
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}

function drawPattern(pen: CanvasRenderingContext2D, { texture, color, color2 }: Ground, seed: number): void {
  const random = seeded(seed + 3);
  pen.fillStyle = color;
  pen.fillRect(0, 0, TILE_PIXELS, TILE_PIXELS);
  pen.fillStyle = color2;
  if (texture === "walkernoise") drawBlots(pen, random);
  else drawCells(pen, texture, random);
}

function drawCells(pen: CanvasRenderingContext2D, texture: string, random: () => number): void {
  const cells = texture === "squares" ? 16 : TILE_M / 2;
  const step = TILE_PIXELS / cells;
  for (let row = 0; row < cells; row += 1) {
    for (let column = 0; column < cells; column += 1) {
      if (texture === "squares") {
        pen.globalAlpha = 0.25 + 0.75 * random();
        if (random() > 0.5) pen.fillRect(column * step, row * step, step, step);
      } else if ((row + column) % 2 === 0) pen.fillRect(column * step, row * step, step, step);
    }
  }
}

/** Random specks of varying opacity; a trail of specks wraps at the tile's edges. */
function drawBlots(pen: CanvasRenderingContext2D, random: () => number): void {
  for (let blot = 0; blot < 1_600; blot += 1) {
    let [x, y] = [random() * TILE_PIXELS, random() * TILE_PIXELS];
    pen.globalAlpha = random() * 0.5;
    for (let step = 0; step < 6; step += 1) {
      pen.fillRect(x, y, 9, 9);
      x = (x + (random() - 0.5) * 26 + TILE_PIXELS) % TILE_PIXELS;
      y = (y + (random() - 0.5) * 26 + TILE_PIXELS) % TILE_PIXELS;
    }
  }
}

function drawGrid(pen: CanvasRenderingContext2D, { grid, gridColor }: Ground): void {
  pen.fillStyle = "#000000";
  pen.fillRect(0, 0, TILE_PIXELS, TILE_PIXELS);
  pen.fillStyle = gridColor;
  const cells = grid === "1x1" ? TILE_M : TILE_M / 2;
  const step = TILE_PIXELS / cells;
  const thick = 2;
  for (let at = 0; at < cells; at += 1) {
    if (grid === "1x1" || grid === "2x2" || grid === "xlines") pen.fillRect(at * step, 0, thick, TILE_PIXELS);
    if (grid === "1x1" || grid === "2x2" || grid === "ylines") pen.fillRect(0, at * step, TILE_PIXELS, thick);
    if (grid !== "crosses" && grid !== "dots") continue;
    for (let other = 0; other < cells; other += 1) drawMark(pen, grid, (at + 0.5) * step, (other + 0.5) * step);
  }
}

function drawMark(pen: CanvasRenderingContext2D, grid: string, x: number, y: number): void {
  if (grid === "crosses") {
    pen.fillRect(x - 6, y - 1, 12, 2);
    pen.fillRect(x - 1, y - 6, 2, 12);
    return;
  }
  pen.beginPath();
  pen.arc(x, y, 3, 0, 2 * Math.PI);
  pen.fill();
}
