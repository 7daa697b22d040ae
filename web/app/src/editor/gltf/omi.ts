/**
 * Reads and writes the extensions of the Open Metaverse Interoperability Group: nodes that link elsewhere (`OMI_link`)
 * and nodes where people arrive (`OMI_spawn_point`). Pure functions.
 */
import type { Attributes } from "@stoa/client";
import type { Destination } from "../../routing/destinations.ts";
import { destinationOf } from "../../routing/destinations.ts";
import { OMI_NODES_MAX, OMI_TEXT_MAX } from "../limits.ts";
import { jsonOf } from "../models/glb.ts";
import { boxOfNode, isMatrix, type Matrix, matrixOf, multiplied, type Placed, placedOf } from "./node-transform.ts";

/** A node with a meaning. */
export interface Meaning {
  readonly kind: "place" | "door";
  /** Title for people; may be empty. */
  readonly title: string;
  /** A door's target address. */
  readonly uri: string;
  /** A landmark's group; may be empty. */
  readonly group: string;
  /** The node's transform in the scene. */
  readonly at: Placed;
  /** Bounding box of the node's mesh as centre and size, in the node's space; `null` without a mesh. */
  readonly body: { readonly middle: OmiVector; readonly size: OmiVector } | null;
}

interface OmiVector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

type Fields = ReadonlyMap<string, unknown>;

/** All nodes with a meaning in a binary glTF's first scene; `undefined` if the bytes are no glTF. */
export function meaningsIn(bytes: Uint8Array): readonly Meaning[] | undefined {
  const json = fields(jsonOf(bytes));
  if (json.size === 0 || fields(json.get("asset")).size === 0) return undefined;
  const nodes = list(json.get("nodes")).map(fields);
  const scenes = list(json.get("scenes")).map(fields);
  const scene = scenes[index(json.get("scene")) ?? 0];
  const found: Meaning[] = [];
  const seen = new Set<number>();
  // A valid glTF gives each node one parent. Nodes with several are read once.
  const waiting: { readonly node: number; readonly above: Matrix | null }[] = list(scene?.get("nodes")).flatMap(
    (node) => {
      const number = index(node);
      return number === undefined ? [] : [{ node: number, above: null }];
    },
  );
  for (let next = waiting.pop(); next !== undefined && found.length < OMI_NODES_MAX; next = waiting.pop()) {
    const node = nodes[next.node];
    if (node === undefined || seen.has(next.node)) continue;
    seen.add(next.node);
    const own = matrixOf(node);
    const matrix = next.above === null ? own : multiplied(next.above, own);
    found.push(...meaningsOf(node, matrix, json));
    for (const child of list(node.get("children"))) {
      const number = index(child);
      if (number !== undefined) waiting.push({ node: number, above: matrix });
    }
  }
  return found;
}

function meaningsOf(node: Fields, matrix: Matrix, json: Fields): readonly Meaning[] {
  const extensions = fields(node.get("extensions"));
  const made: Meaning[] = [];
  if (!isMatrix(matrix)) return made;
  const at = placedOf(matrix);
  const named = text(node.get("name"));
  if (extensions.has("OMI_spawn_point")) {
    const spawn = fields(extensions.get("OMI_spawn_point"));
    const [title, group] = [text(spawn.get("title")), text(spawn.get("group"))];
    made.push({ kind: "place", title: title === "" ? named : title, uri: "", group, at, body: null });
  }
  const link = fields(extensions.get("OMI_link"));
  const uri = text(link.get("uri"));
  if (uri !== "") {
    const title = text(link.get("title"));
    made.push({ kind: "door", title: title === "" ? named : title, uri, group: "", at, body: boxOfNode(node, json) });
  }
  return made;
}

/** The effect of a link. */
export type LinkTarget =
  | { readonly kind: "portal"; readonly to: Destination }
  | { readonly kind: "address"; readonly url: string }
  /** A landmark in the same file. */
  | { readonly kind: "here"; readonly place: string };

/** The target of an address in a file that a scene shows; `null` if a page can't follow it. */
export function wayOf(uri: string, scene: string, origin: string): LinkTarget | null {
  if (uri.startsWith("#")) return { kind: "here", place: decoded(uri.slice(1)) };
  const base = `${origin}/${scene}`;
  if (!URL.canParse(uri, base)) return null;
  const url = new URL(uri, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  const to = destinationOf(url.href, origin);
  return to === null ? { kind: "address", url: url.href } : { kind: "portal", to };
}

/** The glTF extensions that express an object's meaning, for its node. */
export function extensionsOf(
  objectId: string,
  attributes: Attributes,
  origin: string,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const said: Record<string, Record<string, string>> = {};
  const landmark = fields(attributes.landmark);
  const label = text(landmark.get("label"));
  if (landmark.size > 0)
    said["OMI_spawn_point"] = {
      title: label === "" ? objectId : label,
      ...(landmark.get("startingPosition") === true ? { group: START_GROUP } : {}),
    };
  const uri = uriOf(attributes, origin);
  if (uri !== null) said["OMI_link"] = { uri, title: objectId };
  return said;
}

/** Group of the start landmarks in exported files. */
export const START_GROUP = "start";

function uriOf(attributes: Attributes, origin: string): string | null {
  const portal = fields(attributes.portal);
  const scene = text(portal.get("scene"));
  if (scene !== "") {
    const landmark = text(portal.get("landmark"));
    return `${origin}/${scene}${landmark === "" ? "" : `#${encodeURIComponent(landmark)}`}`;
  }
  const url = text(fields(attributes["goto-url"]).get("url"));
  return url !== "" && URL.canParse(url, origin) ? new URL(url, origin).href : null;
}

function fields(value: unknown): Fields {
  return new Map(typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : []);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function index(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function text(value: unknown): string {
  return typeof value === "string" ? value.slice(0, OMI_TEXT_MAX).trim() : "";
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
