/**
 * Maps our portals, links and landmarks to glTF nodes with the extensions of the Open Metaverse Interoperability Group,
 * `OMI_link` and `OMI_spawn_point`, and back. Pure functions.
 */
import type { Attributes } from "@stoa/client";
import type { SceneDestination } from "../../routing/destinations.ts";
import { destinationOf } from "../../routing/destinations.ts";
import { OMI_NODES_MAX, OMI_TEXT_MAX } from "../limits.ts";
import { jsonOf } from "../models/glb.ts";
import {
  boundsOfNode,
  isMatrix,
  type Matrix,
  matrixOf,
  multiplied,
  type NodeTransform,
  transformOf,
} from "./node-transform.ts";

/** A node with one of the two extensions. */
export interface OmiNode {
  readonly kind: "spawn-point" | "link";
  /** Title for people; may be empty. */
  readonly title: string;
  /** A link's target address. */
  readonly uri: string;
  /** A spawn point's group; may be empty. */
  readonly group: string;
  /** The node's transform in the scene. */
  readonly at: NodeTransform;
  /** Bounding box of a link's mesh as centre and size, in the node's space; `null` without a mesh. */
  readonly bounds: { readonly center: OmiVector; readonly size: OmiVector } | null;
}

interface OmiVector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

type Fields = ReadonlyMap<string, unknown>;

/**
 * The nodes with OMI extensions in the default scene of a binary glTF, else in its first scene. The search ends at
 * {@link OMI_NODES_MAX}. `undefined` if the bytes are no glTF.
 */
export function omiNodesIn(bytes: Uint8Array): readonly OmiNode[] | undefined {
  const json = fields(jsonOf(bytes));
  if (json.size === 0 || fields(json.get("asset")).size === 0) return undefined;
  const nodes = list(json.get("nodes")).map(fields);
  const scenes = list(json.get("scenes")).map(fields);
  const scene = scenes[index(json.get("scene")) ?? 0];
  const found: OmiNode[] = [];
  const visited = new Set<number>();
  // A valid glTF gives each node one parent. Nodes with several are read once.
  const waiting: { readonly node: number; readonly above: Matrix | null }[] = list(scene?.get("nodes")).flatMap(
    (node) => {
      const number = index(node);
      return number === undefined ? [] : [{ node: number, above: null }];
    },
  );
  for (let next = waiting.pop(); next !== undefined && found.length < OMI_NODES_MAX; next = waiting.pop()) {
    const node = nodes[next.node];
    if (node === undefined || visited.has(next.node)) continue;
    visited.add(next.node);
    const own = matrixOf(node);
    const matrix = next.above === null ? own : multiplied(next.above, own);
    found.push(...omiNodesOf(node, matrix, json));
    for (const child of list(node.get("children"))) {
      const number = index(child);
      if (number !== undefined) waiting.push({ node: number, above: matrix });
    }
  }
  return found;
}

function omiNodesOf(node: Fields, matrix: Matrix, json: Fields): readonly OmiNode[] {
  const extensions = fields(node.get("extensions"));
  const found: OmiNode[] = [];
  if (!isMatrix(matrix)) return found;
  const at = transformOf(matrix);
  const named = text(node.get("name"));
  if (extensions.has("OMI_spawn_point")) {
    const spawn = fields(extensions.get("OMI_spawn_point"));
    const [title, group] = [text(spawn.get("title")), text(spawn.get("group"))];
    found.push({ kind: "spawn-point", title: title === "" ? named : title, uri: "", group, at, bounds: null });
  }
  const link = fields(extensions.get("OMI_link"));
  const uri = text(link.get("uri"));
  if (uri !== "") {
    const title = text(link.get("title"));
    found.push({
      kind: "link",
      title: title === "" ? named : title,
      uri,
      group: "",
      at,
      bounds: boundsOfNode(node, json),
    });
  }
  return found;
}

/** The effect of a link. */
export type LinkTarget =
  | { readonly kind: "portal"; readonly to: SceneDestination }
  | { readonly kind: "address"; readonly url: string }
  /** The landmark with the title `place` in the same file. */
  | { readonly kind: "here"; readonly place: string };

/** The target of an address in a file that a scene shows; `null` if a page can't follow it. */
export function linkTargetOf(uri: string, scene: string, origin: string): LinkTarget | null {
  if (uri.startsWith("#")) return { kind: "here", place: decoded(uri.slice(1)) };
  const base = `${origin}/${scene}`;
  if (!URL.canParse(uri, base)) return null;
  const url = new URL(uri, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  const to = destinationOf(url.href, origin);
  return to === null ? { kind: "address", url: url.href } : { kind: "portal", to };
}

/** The OMI extensions of an object's node, by name; empty for an object that is no landmark, portal or link. */
export function extensionsOf(
  objectId: string,
  attributes: Attributes,
  origin: string,
): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const extensions: Record<string, Record<string, string>> = {};
  const landmark = fields(attributes.landmark);
  const label = text(landmark.get("label"));
  if (landmark.size > 0)
    extensions.OMI_spawn_point = {
      title: label === "" ? objectId : label,
      ...(landmark.get("startingPosition") === true ? { group: START_GROUP } : {}),
    };
  const uri = uriOf(attributes, origin);
  if (uri !== null) extensions.OMI_link = { uri, title: objectId };
  return extensions;
}

/** Group of the start landmarks, in exported and imported files. */
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
