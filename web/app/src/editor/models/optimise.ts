/**
 * A glTF model as it came → one binary file that loads fast: what is twice in it once, what is unused gone, points welded, textures no larger than they
 * are seen, all of it compressed. Runs in a worker; knows no page.
 */
import { type Document, type JSONDocument, Logger, type Texture, WebIO } from "@gltf-transform/core";
import { ALL_EXTENSIONS, EXTTextureWebP } from "@gltf-transform/extensions";
import { dedup, meshopt, prune, weld } from "@gltf-transform/functions";
import { MeshoptDecoder, MeshoptEncoder } from "meshoptimizer";

/** Draws a picture anew, within so many pixels a side, as WebP; `null` where it is good as it is or can't be read. */
export type Redraw = (image: Uint8Array, mimeType: string) => Promise<Uint8Array | null>;

/** What is told meanwhile: 0 to 1. */
export type ProgressListener = (done: number) => void;

/** Extensions whose content this program can read, but not write anew without harm. */
const LEFT_ALONE = [
  "KHR_draco_mesh_compression",
  "OMI_link",
  "OMI_spawn_point",
  "VRM",
  "VRMC_vrm",
  "VRMC_vrm_animation",
];

/** Why a model stays as it is; `null`: it can be optimised. */
export function reasonToLeave(json: unknown): string | null {
  if (typeof json !== "object" || json === null || !("extensionsUsed" in json)) return null;
  const used: unknown = json.extensionsUsed;
  return Array.isArray(used) ? (LEFT_ALONE.find((name) => used.includes(name)) ?? null) : null;
}

export { jsonOf } from "./glb.ts";

async function reader(): Promise<WebIO> {
  await Promise.all([MeshoptDecoder.ready, MeshoptEncoder.ready]);
  const modules = { "meshopt.decoder": MeshoptDecoder, "meshopt.encoder": MeshoptEncoder };
  return new WebIO()
    .setLogger(new Logger(Logger.Verbosity.SILENT))
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies(modules);
}

/** A `.gltf` and the files that came with it, as one binary file. Fails with the name of what is missing. */
export async function pack(document: JSONDocument): Promise<Uint8Array> {
  const io = await reader();
  return io.writeBinary(await io.readJSON(document));
}

/** The optimised form. */
export async function optimise(
  bytes: Uint8Array,
  redraw: Redraw,
  told: ProgressListener = () => undefined,
): Promise<Uint8Array> {
  const io = await reader();
  const document = await io.readBinary(bytes);
  document.setLogger(new Logger(Logger.Verbosity.SILENT));
  told(0.15);
  // Empty nodes and unused names are kept: animations, links and landmarks speak of them.
  await document.transform(dedup(), prune({ keepLeaves: true, keepSolidTextures: true, keepExtras: true }), weld());
  told(0.4);
  await redrawTextures(document, redraw, (done) => told(0.4 + 0.4 * done));
  await document.transform(meshopt({ encoder: MeshoptEncoder, level: "medium" }));
  told(0.9);
  const written = await io.writeBinary(document);
  told(1);
  return written;
}

/** One after the other: each is several megabytes of pixels while it is drawn. */
async function redrawTextures(document: Document, redraw: Redraw, told: ProgressListener): Promise<void> {
  const textures = document.getRoot().listTextures();
  let redrawn = 0;
  for (const [at, texture] of textures.entries()) {
    if (await redrawTexture(texture, redraw)) redrawn += 1;
    told((at + 1) / textures.length);
  }
  if (redrawn > 0) document.createExtension(EXTTextureWebP).setRequired(true);
}

async function redrawTexture(texture: Texture, redraw: Redraw): Promise<boolean> {
  const image = texture.getImage();
  const mimeType = texture.getMimeType();
  if (image === null || !["image/png", "image/jpeg"].includes(mimeType)) return false;
  const drawn = await redraw(image, mimeType);
  if (drawn === null || drawn.length >= image.length) return false;
  texture.setImage(drawn).setMimeType("image/webp");
  const uri = texture.getURI();
  if (uri !== "") texture.setURI(uri.replace(/\.[^.]*$/, ".webp"));
  return true;
}
