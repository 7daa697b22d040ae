/** Parses point clouds in the PCD format, within a limit of points. */
import { PCDLoader } from "three/addons/loaders/PCDLoader.js";
import { CLOUD_POINTS_MAX } from "../limits.ts";
import { AssetError } from "./asset-error.ts";
import type { ParsedFile } from "./parse-context.ts";

const HEADER_BYTES = 4_096;

/** Parses a `.pcd`. Errors: {@link AssetError} `unreadable`, or `too-large` above {@link CLOUD_POINTS_MAX}. */
export async function parsePcd(bytes: Uint8Array<ArrayBuffer>): Promise<ParsedFile> {
  const header = new TextDecoder("latin1").decode(bytes.subarray(0, HEADER_BYTES));
  const points = Number(/^POINTS\s+(\d+)/m.exec(header)?.[1]);
  if (!/^DATA\s/m.test(header) || !Number.isFinite(points)) throw new AssetError("unreadable", "not a PCD file");
  if (points > CLOUD_POINTS_MAX) throw new AssetError("too-large", `${points} points, at most ${CLOUD_POINTS_MAX}`);
  return { root: new PCDLoader().parse(bytes.buffer) };
}
