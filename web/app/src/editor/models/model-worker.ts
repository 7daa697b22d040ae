/** The worker that checks and optimises models without blocking the page. */
import type { JSONDocument } from "@gltf-transform/core";
import { TEXTURE_PIXELS_MAX, TEXTURE_QUALITY } from "../limits.ts";
import { jsonOf, optimise, pack, reasonNotToOptimise } from "./optimise.ts";
import { faultsOf } from "./validate.ts";
import type { ModelWorkerReport, ModelWorkerRequest } from "./worker-messages.ts";

function tell(report: ModelWorkerReport, transfer: Transferable[] = []): void {
  postMessage(report, { transfer });
}

/** Scales a texture down to its largest visible size and encodes it as WebP. */
async function redraw(image: Uint8Array<ArrayBuffer>, mimeType: string): Promise<Uint8Array | null> {
  const options = { colorSpaceConversion: "none", premultiplyAlpha: "none" } as const;
  const bitmap = await createImageBitmap(new Blob([image], { type: mimeType }), options);
  const scale = Math.min(1, TEXTURE_PIXELS_MAX / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.max(1, Math.round(side * scale)));
  const canvas = new OffscreenCanvas(width ?? 1, height ?? 1);
  const context = canvas.getContext("2d");
  if (context === null) return null;
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const blob = await canvas.convertToBlob({ type: "image/webp", quality: TEXTURE_QUALITY });
  // A browser without a WebP encoder returns PNG; then the original texture stays.
  return blob.type === "image/webp" ? new Uint8Array(await blob.arrayBuffer()) : null;
}

async function packed(order: ModelWorkerRequest): Promise<Uint8Array> {
  if (order.parts === undefined) return order.bytes;
  const json: JSONDocument["json"] = JSON.parse(new TextDecoder().decode(order.bytes));
  return pack({ json, resources: order.parts });
}

async function run(order: ModelWorkerRequest): Promise<void> {
  const bytes = await packed(order);
  const faults = await faultsOf(bytes);
  tell({ kind: "checked", faults, packed: order.parts === undefined ? null : new Uint8Array(bytes) });
  if (faults.length > 0) return;
  const leave = reasonNotToOptimise(jsonOf(bytes));
  if (leave !== null) return tell({ kind: "left", why: leave });
  const optimised = await optimise(
    bytes,
    (image, mimeType) => redraw(new Uint8Array(image), mimeType),
    (done) => tell({ kind: "progress", done }),
  );
  tell({ kind: "optimised", bytes: optimised });
}

addEventListener("message", ({ data }: MessageEvent<ModelWorkerRequest>) => {
  run(data).catch((error: unknown) =>
    tell({ kind: "failed", words: error instanceof Error ? error.message : String(error) }),
  );
});
