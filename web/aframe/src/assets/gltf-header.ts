/** Reads a glTF file's extensions and dependencies before it is parsed. No I/O. */
import { bag } from "../values.ts";
import { AssetError } from "./asset-error.ts";

/** The extensions that the file uses (`extensionsUsed`), also optional ones, and its external files. */
export interface GltfDependencies {
  readonly extensions: readonly string[];
  /** URIs of external buffers and pictures; embedded ones are omitted. */
  readonly files: readonly string[];
}

const GLB_MAGIC = 0x46546c67;
const GLB_JSON = 0x4e4f534a;
const GLB_HEADER_BYTES = 20;

/** Reads the header of a `.glb` or a `.gltf`. Errors: {@link AssetError} `unreadable`. */
export function gltfHeader(bytes: Uint8Array): GltfDependencies {
  const json = bag(parse(jsonOf(bytes)));
  if (!json || !bag(json.asset)) throw new AssetError("unreadable", "not a glTF file");
  const files = [...list(json.buffers), ...list(json.images)].flatMap((one) => {
    const uri = bag(one)?.uri;
    return typeof uri === "string" ? [uri] : [];
  });
  const extensions = list(json.extensionsUsed).filter((name): name is string => typeof name === "string");
  return { extensions, files: files.filter((file) => !file.startsWith("data:")) };
}

function jsonOf(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < GLB_HEADER_BYTES || view.getUint32(0, true) !== GLB_MAGIC) return bytes;
  const length = view.getUint32(12, true);
  if (view.getUint32(16, true) !== GLB_JSON) throw new AssetError("unreadable", "GLB file without a JSON chunk");
  if (GLB_HEADER_BYTES + length > bytes.length) throw new AssetError("unreadable", "truncated GLB file");
  return bytes.subarray(GLB_HEADER_BYTES, GLB_HEADER_BYTES + length);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new AssetError("unreadable", "invalid JSON in a glTF file");
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
