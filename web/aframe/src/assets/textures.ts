/** Measures the textures of an object and shrinks them to fit into a byte budget. */
import type { Three } from "../aframe.ts";
import { TEXTURE_SIDES } from "../limits.ts";

/** Width and height in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Four bytes per pixel, and a third more for mipmaps. */
const BYTES_PER_PIXEL = (4 * 4) / 3;
/** A compressed texture takes one byte per pixel. */
const COMPRESSED_BYTES_PER_PIXEL = 4 / 3;

/** Scales the size down to fit a side, keeping its aspect ratio. */
export function within({ width, height }: PixelSize, side: number): PixelSize {
  const factor = Math.min(1, side / Math.max(width, height, 1));
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/** Bytes of an uncompressed texture with mipmaps. */
export function bytesOf({ width, height }: PixelSize): number {
  return Math.ceil(width * height * BYTES_PER_PIXEL);
}

/**
 * The longest side at which all textures fit into `bytesLeft`, or the smallest of {@link TEXTURE_SIDES} if none fits.
 */
export function sideFor(sizes: readonly PixelSize[], bytesLeft: number): number {
  const fits = (side: number): boolean =>
    sizes.reduce((sum, size) => sum + bytesOf(within(size, side)), 0) <= bytesLeft;
  return TEXTURE_SIDES.find(fits) ?? TEXTURE_SIDES[TEXTURE_SIDES.length - 1] ?? 1;
}

/** All distinct textures of an object and its descendants. */
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

/** Uniform values: a VRM's MToon material keeps its pictures only there. */
function uniformsOf(material: object): readonly unknown[] {
  if (!("uniforms" in material) || typeof material.uniforms !== "object" || material.uniforms === null) return [];
  return Object.values(material.uniforms).map((uniform: unknown) =>
    typeof uniform === "object" && uniform !== null && "value" in uniform ? uniform.value : undefined,
  );
}

function isTexture(value: unknown): value is Three.Texture {
  return typeof value === "object" && value !== null && "isTexture" in value;
}

/** Shrinks an object's textures to fit into `bytesLeft` and {@link TEXTURE_SIDES}. Returns their size in bytes. */
export async function fitTextures(root: Three.Object3D, bytesLeft: number): Promise<number> {
  const textures = [...texturesOf(root)];
  const side = sideFor(textures.filter((texture) => !isCompressed(texture)).map(sizeOf), bytesLeft);
  await Promise.all(textures.map((texture) => shrink(texture, side)));
  return textures.reduce((sum, texture) => sum + takenBy(texture), 0);
}

/** Frees decoded pictures in main memory: three.js frees only those on the GPU. */
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

/** The size of a texture's picture; zero until loaded. */
export function sizeOf({ image }: Three.Texture): PixelSize {
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

/** Drops the largest mipmap levels of a compressed texture. */
function dropLevels(texture: Three.CompressedTexture, side: number): void {
  const levels = texture.mipmaps ?? [];
  while (levels.length > 1 && Math.max(levels[0]?.width ?? 0, levels[0]?.height ?? 0) > side) levels.shift();
  const [largest] = levels;
  if (largest) Object.assign(texture.image, { width: largest.width, height: largest.height });
  texture.needsUpdate = true;
}
