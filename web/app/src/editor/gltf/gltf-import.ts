/**
 * Imports a 3D scene from a GLB file: one object that shows it, at a given position, with a child for each landmark,
 * portal and link in the file. The file is uploaded first. The changes are one undo step of `changes.ts`.
 */
import type { Attributes, SceneSession } from "@stoa/client";
import type { ScenePoint } from "../../scene/stage.ts";
import { texts } from "../../texts/texts.ts";
import { storedName } from "../files/file-kinds.ts";
import { sendFile } from "../files/send-file.ts";
import { refusalOf, requestQuota } from "../files/storage-quota.ts";
import { type ObjectChangeRequest, ObjectChangeSender } from "../objects/changes.ts";
import { tail } from "../objects/ids.ts";
import { type LinkTarget, linkTargetOf, type OmiNode, omiNodesIn, START_GROUP } from "./omi.ts";

/** Numbers of imported landmarks, and of portals and links together. */
export interface LandmarkPortalCounts {
  readonly places: number;
  readonly doors: number;
}

/** Size in metres of a portal whose node has no mesh. */
const DEFAULT_PORTAL = { width: 0.9, height: 2, depth: 0.05 } as const;

/** Stems of the object ids; the counts rely on them. */
const ID_STEMS = { "spawn-point": "place", link: "door" } as const;

/** Imports a file. Rejects with a message for the user. */
export async function importGltf(
  file: File,
  { session, scene, at }: { readonly session: SceneSession; readonly scene: string; readonly at: ScenePoint },
  onProgress: (done: number) => void,
): Promise<LandmarkPortalCounts> {
  const refusal = refusalOf(file.name, file.size, await requestQuota());
  if (refusal !== null) throw new Error(refusal);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const omiNodes = omiNodesIn(bytes);
  if (omiNodes === undefined) throw new Error(texts.scenes.carry.notGlb(file.name));
  const unique = tail();
  const path = `${folderOf(scene, session.me.username)}/${storedName(file.name, unique, "glb")}`;
  const url = await sendFile(file, { path, onProgress, signal: new AbortController().signal });
  const changes = changesFor({ file: file.name, unique, url, at }, omiNodes, (uri) =>
    linkTargetOf(uri, scene, location.origin),
  );
  await new ObjectChangeSender(() => session).run(changes);
  return countsOf(changes);
}

/** Counts the landmarks and portals among the changes of a file, of which the first creates the model. */
export function countsOf(changes: readonly ObjectChangeRequest[]): LandmarkPortalCounts {
  const ids = changes.slice(1).map(({ objectId }) => objectId);
  const count = (stem: string): number => ids.filter((id) => id.startsWith(`${stem}-`)).length;
  return { places: count(ID_STEMS["spawn-point"]), doors: count(ID_STEMS.link) };
}

/**
 * The store folder of an upload. People who may enter a scene can read the files in its folder, to which its owner
 * uploads. Uploads by other accounts are public.
 */
function folderOf(scene: string, account: string): string {
  const [namespace, name = ""] = scene.split("/");
  return namespace === account ? `users/${account}/scenes/${name}` : `users/${account}/uploads`;
}

/** The changes that add a file's objects. */
export function changesFor(
  {
    file,
    unique,
    url,
    at,
  }: { readonly file: string; readonly unique: string; readonly url: string; readonly at: ScenePoint },
  omiNodes: readonly OmiNode[],
  linkTarget: (uri: string) => LinkTarget | null,
): readonly ObjectChangeRequest[] {
  const model = `${slug(file.replace(/\.[^.]*$/, ""), "scene")}-${unique}`;
  const create = (objectId: string, attributes: Attributes): ObjectChangeRequest => ({
    kind: "create",
    objectId,
    attributes,
  });
  const shown = { object_type: "gltf-model", url, position: at };
  const named = omiNodes.map((omi, index) => ({
    omi,
    id: `${ID_STEMS[omi.kind]}-${slug(omi.title, String(index + 1))}-${index + 1}-${unique}`,
  }));
  const landmarkTitled = (title: string): string | undefined =>
    named.find(({ omi }) => omi.kind === "spawn-point" && omi.title === title)?.id;
  const declaredStarts = named.filter(({ omi }) => omi.group === START_GROUP);
  // In a file without a start, the first landmark becomes the start.
  const starts =
    declaredStarts.length > 0 ? declaredStarts : named.filter(({ omi }) => omi.kind === "spawn-point").slice(0, 1);
  const children = named.flatMap(({ omi, id }): readonly ObjectChangeRequest[] => {
    const isStart = starts.some((start) => start.id === id);
    const attributes =
      omi.kind === "spawn-point" ? landmarkFor(omi, isStart) : portalFor(omi, linkTarget, landmarkTitled);
    return attributes === null ? [] : [create(id, { ...attributes, parent: model })];
  });
  return [create(model, shown), ...children];
}

function landmarkFor({ at, title }: OmiNode, isStart: boolean): Attributes {
  const { position, rotation } = at;
  const landmark = { label: title, lookAtLandmark: false, randomRadiusMin: 0, randomRadiusMax: 0.5 };
  return { object_type: "entity", position, rotation, landmark: { ...landmark, startingPosition: isStart } };
}

/**
 * A portal or link: invisible with the size of the node's mesh, or visible with the size of a door for a node without a
 * mesh. `null` for a target that can't be followed.
 */
function portalFor(
  { uri, at, bounds }: OmiNode,
  linkTarget: (uri: string) => LinkTarget | null,
  landmarkTitled: (title: string) => string | undefined,
): Attributes | null {
  const link = linkAttributes(linkTarget(uri), landmarkTitled);
  if (link === null) return null;
  const { position, rotation, scale } = at;
  if (bounds === null) {
    const glass = { color: "#7ec8b7", opacity: 0.7, transparent: true };
    const raised = { ...position, y: position.y + DEFAULT_PORTAL.height / 2 };
    return { object_type: "box", position: raised, rotation, ...DEFAULT_PORTAL, material: glass, ...link };
  }
  const { center, size } = bounds;
  const turned = turn(rotation, { x: center.x * scale.x, y: center.y * scale.y, z: center.z * scale.z });
  const round = (value: number): number => Math.round(value * 1e4) / 1e4 || 0;
  return {
    object_type: "box",
    position: { x: round(position.x + turned.x), y: round(position.y + turned.y), z: round(position.z + turned.z) },
    rotation,
    // Slightly larger than the mesh, so that the portal receives the press.
    width: round(Math.max(0.05, Math.abs(size.x * scale.x) * 1.02)),
    height: round(Math.max(0.05, Math.abs(size.y * scale.y) * 1.02)),
    depth: round(Math.max(0.05, Math.abs(size.z * scale.z) * 1.02)),
    material: { opacity: 0, transparent: true, depthWrite: false },
    shadow: { cast: false, receive: false },
    ...link,
  };
}

function linkAttributes(
  linkTarget: LinkTarget | null,
  landmarkTitled: (title: string) => string | undefined,
): Attributes | null {
  if (linkTarget === null) return null;
  switch (linkTarget.kind) {
    case "portal":
      return { portal: { scene: linkTarget.to.scene, landmark: linkTarget.to.landmark, radius: 0.8 } };
    case "address":
      return { "goto-url": { url: linkTarget.url, dest: "newtab", on: "mousedown" } };
    case "here": {
      const landmark = landmarkTitled(linkTarget.place);
      return landmark === undefined ? null : { "goto-landmark": { landmark, on: "mousedown" } };
    }
  }
}

interface Xyz {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Rotates a point by a quaternion. */
function turn({ x: qx, y: qy, z: qz, w }: Xyz & { readonly w: number }, { x, y, z }: Xyz): Xyz {
  const [cx, cy, cz] = [2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)];
  return {
    x: x + w * cx + (qy * cz - qz * cy),
    y: y + w * cy + (qz * cx - qx * cz),
    z: z + w * cz + (qx * cy - qy * cx),
  };
}

function slug(text: string, otherwise: string): string {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 40)
    .toLowerCase();
  return plain === "" ? otherwise : plain;
}
