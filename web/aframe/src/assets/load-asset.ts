/**
 * Loads a file for the library: fetches it within its byte limit, parses it by its kind (each parser loads on first
 * use) and shrinks its textures to the remaining budget.
 */
import { type AFrameAdapter, forgetPicture, type GltfLoaderFactory, type SceneElement } from "../aframe.ts";
import { ASSET_BYTES_MAX, BODY_BYTES_MAX, MEDIA_BYTES_MAX } from "../limits.ts";
import { dispose } from "../meshes.ts";
import { isRefused } from "../safe-url.ts";
import { unreachable } from "../unreachable.ts";
import { AssetError } from "./asset-error.ts";
import { ByteBudget, fetchAsset } from "./fetch-asset.ts";
import type { AssetKind, AssetSource, LoadedAsset } from "./library.ts";
import type { ParseContext, ParsedFile } from "./parse-context.ts";
import { closePictures, fitTextures } from "./textures.ts";

/** The scene for which a file is loaded. */
export interface AssetLoadDependencies {
  readonly aframe: AFrameAdapter;
  readonly scene: SceneElement;
  readonly decoders: GltfLoaderFactory;
}

/** Loads a file. Errors: `AssetError`, a parser's own error for a corrupt file, or `AbortError` if `signal` aborts. */
export async function loadAsset(
  { aframe, scene, decoders }: AssetLoadDependencies,
  name: AssetSource,
  signal: AbortSignal,
  textureBytesLeft: number,
): Promise<LoadedAsset> {
  if (isRefused(name.src)) throw new AssetError("no-address", name.src);
  const [budget, onlyOfRealm] = [new ByteBudget(bytesMaxOf(name.kind)), isAvatarFile(name.kind)];
  const bytes = await fetchAsset(name.src, { budget, signal });
  const base = name.base === "" ? name.src : name.base;
  const parsing: ParseContext = { aframe, loaders: decoders, url: name.src, base, signal, budget, onlyOfRealm };
  const parsed = await parse(name, bytes, parsing, { scene, textureBytesLeft });
  const { root, animations = [], copy = () => root.clone() } = parsed;
  const textureBytes = parsed.textureBytes ?? (await fitTextures(root, textureBytesLeft));
  return {
    ...{ copy, animations, textureBytes, vrm: parsed.vrm, address: parsed.address },
    dispose() {
      closePictures(root);
      dispose(root);
      parsed.dispose?.();
      if (parsed.address !== undefined) forgetPicture(scene, parsed.address);
    },
  };
}

/** Avatar files have a smaller limit, because each person brings one. */
function bytesMaxOf(kind: AssetKind): number {
  if (kind === "picture" || kind === "sound") return MEDIA_BYTES_MAX;
  return isAvatarFile(kind) ? BODY_BYTES_MAX : ASSET_BYTES_MAX;
}

function isAvatarFile(kind: AssetKind): boolean {
  return kind === "head" || kind === "vrm";
}

async function parse(
  { kind, src }: AssetSource,
  bytes: Uint8Array<ArrayBuffer>,
  parsing: ParseContext,
  { scene, textureBytesLeft }: { readonly scene: SceneElement; readonly textureBytesLeft: number },
): Promise<ParsedFile> {
  switch (kind) {
    case "gltf":
      return (await import("./parse-gltf.ts")).parseGltf(bytes, parsing);
    case "obj":
      return (await import("./parse-obj.ts")).parseObj(bytes, parsing);
    case "picture":
      return (await import("./parse-media.ts")).parsePicture(bytes, parsing, textureBytesLeft);
    case "sound":
      return (await import("./parse-media.ts")).parseSound(bytes, parsing);
    case "head":
      return (await import("./parse-body.ts")).parseHead(bytes, parsing);
    case "vrm":
      return (await import("./parse-vrm.ts")).parseVrm(bytes, parsing);
    case "pcd":
      return (await import("./parse-pcd.ts")).parsePcd(bytes);
    case "urdf":
      return (await import("./parse-urdf.ts")).parseUrdf(bytes, parsing);
    case "three":
      return (await import("./parse-three.ts")).parseThree(bytes, parsing);
    case "splats":
      return (await import("./parse-splats.ts")).parseSplats(bytes, src, scene);
    default:
      return unreachable(kind);
  }
}
