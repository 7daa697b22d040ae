/** Takes a small picture of a scene's canvas, for the list of scenes. */
import { PICTURE_BYTES_MAX, PICTURE_HEIGHT, PICTURE_WIDTH } from "../limits.ts";

const QUALITIES = [0.8, 0.6, 0.4] as const;

/** The picture of an `a-scene`'s next render frame; `undefined` without a canvas, or if the file exceeds the limit. */
export async function pictureOfScene(scene: Element): Promise<Blob | undefined> {
  const canvas = scene.querySelector("canvas");
  if (canvas === null) return undefined;
  const small = document.createElement("canvas");
  [small.width, small.height] = [PICTURE_WIDTH, PICTURE_HEIGHT];
  const context = small.getContext("2d");
  if (context === null) return undefined;
  // A WebGL canvas is cleared after its frame, so the picture is taken within the same one.
  await new Promise<void>((resolve) => {
    requestAnimationFrame(() => {
      cover(context, canvas);
      resolve();
    });
  });
  for (const quality of QUALITIES) {
    const blob = await new Promise<Blob | null>((resolve) => small.toBlob(resolve, "image/jpeg", quality));
    if (blob !== null && blob.size <= PICTURE_BYTES_MAX) return blob;
  }
  return undefined;
}

/** Draws the centre of the canvas, cropped to the picture's aspect ratio. */
function cover(context: CanvasRenderingContext2D, canvas: HTMLCanvasElement): void {
  const { width, height } = canvas;
  if (width === 0 || height === 0) return;
  const scale = Math.max(PICTURE_WIDTH / width, PICTURE_HEIGHT / height);
  const [w, h] = [PICTURE_WIDTH / scale, PICTURE_HEIGHT / scale];
  context.drawImage(canvas, (width - w) / 2, (height - h) / 2, w, h, 0, 0, PICTURE_WIDTH, PICTURE_HEIGHT);
}
