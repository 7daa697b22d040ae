/**
 * Optimises a glTF model into one binary file that loads fast: removes duplicates and unused parts, welds vertices,
 * limits textures to their visible size and compresses the result. Runs in a worker without access to the page.
 */
import { type Document, type JSONDocument, Logger, type Texture, WebIO } from "@gltf-transform/core";
import { ALL_EXTENSIONS, EXTTextureWebP } from "@gltf-transform/extensions";
import { dedup, meshopt, prune, weld } from "@gltf-transform/functions";
import { MeshoptDecoder, MeshoptEncoder } from "meshoptimizer";

/** Encodes a texture again as WebP within a number of pixels a side; `null` keeps the original texture. */
export type EncodeTexture = (image: Uint8Array, mimeType: string) => Promise<Uint8Array | null>;

/** Called with the progress, 0 to 1. */
export type ProgressListener = (done: number) => void;

/** Extensions that glTF Transform loses when it rewrites a model, or can't read here, as Draco without a decoder. */
const LEFT_ALONE = [
  "KHR_draco_mesh_compression",
  "OMI_link",
  "OMI_spawn_point",
  "VRM",
  "VRMC_vrm",
  "VRMC_vrm_animation",
];

/** The name of an extension that prevents optimising the model; `null` for none. */
export function reasonNotToOptimise(json: unknown): string | null {
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

/** Packs a `.gltf` and its files into one binary file. Fails with the name of a missing file. */
export async function pack(document: JSONDocument): Promise<Uint8Array> {
  const io = await reader();
  return io.writeBinary(await io.readJSON(document));
}

/** Optimises a binary glTF. */
export async function optimise(
  bytes: Uint8Array,
  encode: EncodeTexture,
  onProgress: ProgressListener = () => undefined,
): Promise<Uint8Array> {
  const io = await reader();
  const document = await io.readBinary(bytes);
  document.setLogger(new Logger(Logger.Verbosity.SILENT));
  onProgress(0.15);
  // Empty leaf nodes and properties with extras are kept: animations, links and landmarks may refer to them.
  await document.transform(dedup(), prune({ keepLeaves: true, keepSolidTextures: true, keepExtras: true }), weld());
  onProgress(0.4);
  await encodeTextures(document, encode, (done) => onProgress(0.4 + 0.4 * done));
  await document.transform(meshopt({ encoder: MeshoptEncoder, level: "medium" }));
  onProgress(0.9);
  const written = await io.writeBinary(document);
  onProgress(1);
  return written;
}

/** Encodes the textures one at a time: each takes several megabytes while it is drawn. */
async function encodeTextures(document: Document, encode: EncodeTexture, onProgress: ProgressListener): Promise<void> {
  const textures = document.getRoot().listTextures();
  let encoded = 0;
  for (const [at, texture] of textures.entries()) {
    if (await encodeTexture(texture, encode)) encoded += 1;
    onProgress((at + 1) / textures.length);
  }
  if (encoded > 0) document.createExtension(EXTTextureWebP).setRequired(true);
}

async function encodeTexture(texture: Texture, encode: EncodeTexture): Promise<boolean> {
  const image = texture.getImage();
  const mimeType = texture.getMimeType();
  if (image === null || !["image/png", "image/jpeg"].includes(mimeType)) return false;
  const drawn = await encode(image, mimeType);
  if (drawn === null || drawn.length >= image.length) return false;
  texture.setImage(drawn).setMimeType("image/webp");
  const uri = texture.getURI();
  if (uri !== "") texture.setURI(uri.replace(/\.[^.]*$/, ".webp"));
  return true;
}
