/**
 * Parses pictures and sounds, which A-Frame then reads from a `blob:` URL. Pictures are shrunk to the texture
 * budget.
 */
import { AssetError } from "./asset-error.ts";
import type { ParseContext, ParsedFile } from "./parse-context.ts";
import { bytesOf, sideFor, within } from "./textures.ts";

/**
 * Decodes a picture and shrinks it if its texture exceeds the remaining budget or the longest allowed side. Errors:
 * {@link AssetError} `unreadable`.
 */
export async function parsePicture(
  bytes: Uint8Array<ArrayBuffer>,
  parsing: ParseContext,
  textureBytesLeft: number,
): Promise<ParsedFile> {
  const address = addressOf(bytes, isSvg(bytes) ? "image/svg+xml" : "");
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode().catch(() => {
      throw new AssetError("unreadable", `${parsing.url} is not a picture`);
    });
    // An SVG without a size renders at the browser's default.
    const size = { width: picture.naturalWidth || 300, height: picture.naturalHeight || 150 };
    const side = sideFor([size], textureBytesLeft);
    const smaller = within(size, side);
    if (smaller.width === size.width && smaller.height === size.height) return mediaOf(parsing, address, bytesOf(size));
    const drawn = await drawnAt(picture, smaller);
    URL.revokeObjectURL(address);
    return mediaOf(parsing, URL.createObjectURL(drawn), bytesOf(smaller));
  } catch (error) {
    URL.revokeObjectURL(address);
    throw error;
  }
}

/** A sound. Playback discovers an unsupported format. */
export function parseSound(bytes: Uint8Array<ArrayBuffer>, parsing: ParseContext): ParsedFile {
  return mediaOf(parsing, addressOf(bytes, ""), 0);
}

function mediaOf({ aframe }: ParseContext, address: string, textureBytes: number): ParsedFile {
  return { root: new aframe.THREE.Group(), address, textureBytes, dispose: () => URL.revokeObjectURL(address) };
}

function addressOf(bytes: Uint8Array<ArrayBuffer>, type: string): string {
  return URL.createObjectURL(new Blob([bytes], { type }));
}

/** Sniffs the content, because a browser needs the MIME type to decode SVG. */
function isSvg(bytes: Uint8Array): boolean {
  return /^\s*(<\?xml|<!--|<svg|<!doctype svg)/i.test(new TextDecoder().decode(bytes.subarray(0, 256)));
}

function drawnAt(picture: HTMLImageElement, { width, height }: { width: number; height: number }): Promise<Blob> {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  canvas.getContext("2d")?.drawImage(picture, 0, 0, width, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) =>
      blob ? resolve(blob) : reject(new AssetError("unreadable", "the resized picture could not be encoded")),
    );
  });
}
