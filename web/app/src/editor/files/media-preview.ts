/** Reads a picture's or video's aspect ratio and makes a thumbnail of it. */

import { THUMBNAIL_PIXELS } from "../limits.ts";
import type { FileKind } from "./file-kinds.ts";

export interface MediaPreview {
  readonly aspect?: number;
  readonly poster?: Blob;
}

/** Reads a picture or video; `null` if the browser can't decode it. Files of other kinds give an empty preview. */
export async function previewOf(file: Blob, kind: FileKind): Promise<MediaPreview | null> {
  try {
    if (kind === "image") return await previewOfImage(file);
    if (kind === "video") return await previewOfVideo(file);
    return {};
  } catch {
    return null;
  }
}

async function previewOfImage(file: Blob): Promise<MediaPreview> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  const poster = await pictureOf(bitmap, { width, height, side: THUMBNAIL_PIXELS });
  bitmap.close();
  return { aspect: width / height, ...(poster && { poster }) };
}

/** Time of the poster frame: many videos begin with black. */
const POSTER_AT_S = 0.5;
/** Time limit for loading a video, and for seeking in it. After it the video counts as unreadable by this browser. */
const VIDEO_MS = 15_000;
/** Longest wait for a frame. A video that can't be drawn by then has no poster. */
const FRAME_MS = 5_000;
/** Longer side of a video's poster, which is shown in the scene until the video plays. */
const POSTER_PIXELS = 1_024;

async function previewOfVideo(file: Blob): Promise<MediaPreview> {
  const video = document.createElement("video");
  video.muted = true;
  video.preload = "auto";
  video.src = URL.createObjectURL(file);
  try {
    await event(video, "loadeddata");
    const drawn = frame(video);
    video.currentTime = Math.min(POSTER_AT_S, video.duration / 2 || 0);
    await event(video, "seeked");
    await drawn;
    const { videoWidth: width, videoHeight: height } = video;
    const poster = await pictureOf(video, { width, height, side: POSTER_PIXELS });
    return { aspect: width / height, ...(poster && { poster }) };
  } finally {
    URL.revokeObjectURL(video.src);
    video.removeAttribute("src");
  }
}

/** Waits for a frame that can be drawn: a busy page may report `seeked` before there is one. */
function frame(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, FRAME_MS);
    video.requestVideoFrameCallback?.(() => resolve());
  });
}

function event(video: HTMLVideoElement, type: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no ${type} in time`)), VIDEO_MS);
    const done = (): void => {
      clearTimeout(late);
      resolve();
    };
    video.addEventListener(type, done, { once: true });
    video.addEventListener("error", () => reject(new Error("no video")), { once: true });
  });
}

async function pictureOf(
  source: CanvasImageSource,
  { width, height, side }: { readonly width: number; readonly height: number; readonly side: number },
): Promise<Blob | undefined> {
  const scale = Math.min(1, side / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const pen = canvas.getContext("2d");
  pen?.drawImage(source, 0, 0, canvas.width, canvas.height);
  // Drawing a video without a frame leaves the canvas empty and raises no error.
  if (!pen || isEmpty(pen.getImageData(0, 0, canvas.width, canvas.height))) return undefined;
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/webp", 0.85));
  return blob ?? undefined;
}

function isEmpty({ data }: ImageData): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 0) return false;
  return true;
}
