/** What textures take in the graphics card, and how they are made smaller. */
import type { Three } from "../aframe.ts";
import { TEXTURE_SIDES } from "../limits.ts";

/** Width and height in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Four bytes a pixel, and a third more for the smaller copies that are seen from afar. */
const BYTES_PER_PIXEL = (4 * 4) / 3;
/** Compressed, a pixel takes a byte. */
const COMPRESSED_BYTES_PER_PIXEL = 4 / 3;

/** The size within a side, in its proportions. */
export function within({ width, height }: Size, side: number): Size {
  const factor = Math.min(1, side / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/** Bytes of an uncompressed texture of a size. */
export function bytesOf({ width, height }: Size): number {
  return Math.ceil(width * height * BYTES_PER_PIXEL);
}

/** The longest side that all textures may have so that they fit into what is left; the smallest there is where none do. */
export function sideFor(sizes: readonly Size[], bytesLeft: number): number {
  const fits = (side: number): boolean =>
    sizes.reduce((sum, size) => sum + bytesOf(within(size, side)), 0) <= bytesLeft;
  return TEXTURE_SIDES.find(fits) ?? TEXTURE_SIDES[TEXTURE_SIDES.length - 1] ?? 1;
}

/** All textures that an object and those below it are painted with, each once. */
function texturesOf(root: Three.Object3D): Set<Three.Texture> {
  const found = new Set<Three.Texture>();
  root.traverse((object) => {
    if (!("material" in object)) return;
    for (const material of [object.material].flat()) {
      if (typeof material !== "object" || material === null) continue;
      for (const value of [...Object.values(material), ...uniformsOf(material)]) if (isTexture(value)) found.add(value);
    }
  });
  return found;
}

/** What a shader is given: a VRM's own material (MToon) keeps its pictures there alone. */
function uniformsOf(material: object): readonly unknown[] {
  if (!("uniforms" in material) || typeof material.uniforms !== "object" || material.uniforms === null) return [];
  return Object.values(material.uniforms).map((uniform: unknown) =>
    typeof uniform === "object" && uniform !== null && "value" in uniform ? uniform.value : undefined,
  );
}

function isTexture(value: unknown): value is Three.Texture {
  return typeof value === "object" && value !== null && "isTexture" in value;
}

/** Makes the textures of an object fit into what is left, and says what they take now. */
export async function fitTextures(root: Three.Object3D, bytesLeft: number): Promise<number> {
  const textures = [...texturesOf(root)];
  const side = sideFor(textures.filter((texture) => !isCompressed(texture)).map(sizeOf), bytesLeft);
  await Promise.all(textures.map((texture) => shrink(texture, side)));
  return textures.reduce((sum, texture) => sum + takenBy(texture), 0);
}

/** Frees what the pictures take in the page's memory: three.js frees only the graphics card's. */
export function closePictures(root: Three.Object3D): void {
  for (const { image } of texturesOf(root)) if (isBitmap(image)) image.close();
}

function takenBy(texture: Three.Texture): number {
  const bytes = bytesOf(sizeOf(texture));
  return isCompressed(texture) ? Math.ceil((bytes * COMPRESSED_BYTES_PER_PIXEL) / BYTES_PER_PIXEL) : bytes;
}

function isCompressed(texture: Three.Texture): texture is Three.CompressedTexture {
  return "isCompressedTexture" in texture;
}

function isBitmap(image: unknown): image is ImageBitmap {
  return typeof ImageBitmap !== "undefined" && image instanceof ImageBitmap;
}

/** Its picture's; nothing while that isn't there. */
export function sizeOf({ image }: Three.Texture): Size {
  const picture: unknown = image;
  if (typeof picture !== "object" || picture === null) return { width: 0, height: 0 };
  const { width, height } = { width: 0, height: 0, ...("width" in picture && "height" in picture ? picture : {}) };
  return { width: Number(width) || 0, height: Number(height) || 0 };
}

async function shrink(texture: Three.Texture, side: number): Promise<void> {
  const size = sizeOf(texture);
  if (Math.max(size.width, size.height) <= side) return;
  if (isCompressed(texture)) return dropLevels(texture, side);
  const { image } = texture;
  if (!isBitmap(image)) return;
  const { width, height } = within(size, side);
  texture.image = await createImageBitmap(image, {
    ...{ resizeWidth: width, resizeHeight: height, resizeQuality: "medium" },
    ...{ premultiplyAlpha: "none", colorSpaceConversion: "none" },
  });
  texture.needsUpdate = true;
  image.close();
}

/** A compressed texture brings its smaller copies along: the largest go. */
function dropLevels(texture: Three.CompressedTexture, side: number): void {
  const levels = texture.mipmaps ?? [];
  while (levels.length > 1 && Math.max(levels[0]?.width ?? 0, levels[0]?.height ?? 0) > side) levels.shift();
  const [largest] = levels;
  if (largest) Object.assign(texture.image, { width: largest.width, height: largest.height });
  texture.needsUpdate = true;
}
