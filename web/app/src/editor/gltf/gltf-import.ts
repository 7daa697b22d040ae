/**
 * Imports a 3D scene from a GLB file: one object that shows it, ahead of the viewer, with a child for each landmark and
 * portal in the file. The changes are one undo step of `changes.ts`.
 */
import type { Attributes, SceneSession } from "@stoa/client";
import type { ScenePosition } from "../../scene/stage.ts";
import { texts } from "../../texts/texts.ts";
import { storedName } from "../files/file-kinds.ts";
import { sendFile } from "../files/send-file.ts";
import { askRoom, refusalOf } from "../files/storage-quota.ts";
import { type Change, Changes } from "../objects/changes.ts";
import { tail } from "../objects/ids.ts";
import { type LinkTarget, type Meaning, meaningsIn, START_GROUP, wayOf } from "./omi.ts";

/** The result of an import. */
export interface Brought {
  readonly places: number;
  readonly doors: number;
}

/** Size in metres of a portal whose node has no mesh. */
const DOOR = { width: 0.9, height: 2, depth: 0.05 } as const;

/** Imports a file. Rejects with a message for the user. */
export async function bringIn(
  file: File,
  { session, scene, at }: { readonly session: SceneSession; readonly scene: string; readonly at: ScenePosition },
  told: (done: number) => void,
): Promise<Brought> {
  const refusal = refusalOf(file.name, file.size, await askRoom());
  if (refusal !== null) throw new Error(refusal);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const meanings = meaningsIn(bytes);
  if (meanings === undefined) throw new Error(texts.scenes.carry.notGlb(file.name));
  const unique = tail();
  const path = `${folderOf(scene, session.me.username)}/${storedName(file.name, unique, "glb")}`;
  const url = await sendFile(file, { path, told, signal: new AbortController().signal });
  const changes = changesFor({ file: file.name, unique, url, at }, meanings, (uri) =>
    wayOf(uri, scene, location.origin),
  );
  await new Changes(() => session).run(changes);
  const count = (kind: string): number => changes.filter(({ objectId }) => objectId.startsWith(kind)).length;
  return { places: count("place-"), doors: count("door-") };
}

/**
 * The store folder of an upload. People who may enter a scene can read the files of its owner; files uploaded to
 * another's scene are public.
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
  }: { readonly file: string; readonly unique: string; readonly url: string; readonly at: ScenePosition },
  meanings: readonly Meaning[],
  way: (uri: string) => LinkTarget | null,
): readonly Change[] {
  const model = `${slug(file.replace(/\.[^.]*$/, ""), "scene")}-${unique}`;
  const create = (objectId: string, attributes: Attributes): Change => ({ kind: "create", objectId, attributes });
  const shown = { object_type: "gltf-model", url, position: at };
  const named = meanings.map((meaning, index) => ({
    meaning,
    id: `${meaning.kind}-${slug(meaning.title, String(index + 1))}-${index + 1}-${unique}`,
  }));
  const placeCalled = (title: string): string | undefined =>
    named.find(({ meaning }) => meaning.kind === "place" && meaning.title === title)?.id;
  const begins = named.filter(({ meaning }) => meaning.group === START_GROUP);
  // In a file without a start, the first landmark becomes the start.
  const starts = begins.length > 0 ? begins : named.filter(({ meaning }) => meaning.kind === "place").slice(0, 1);
  const made = named.flatMap(({ meaning, id }): readonly Change[] => {
    const isStart = starts.some((start) => start.id === id);
    const attributes = meaning.kind === "place" ? placeFor(meaning, isStart) : doorFor(meaning, way, placeCalled);
    return attributes === null ? [] : [create(id, { ...attributes, parent: model })];
  });
  return [create(model, shown), ...made];
}

function placeFor({ at, title }: Meaning, isStart: boolean): Attributes {
  const { position, rotation } = at;
  const landmark = { label: title, lookAtLandmark: false, randomRadiusMin: 0, randomRadiusMax: 0.5 };
  return { object_type: "entity", position, rotation, landmark: { ...landmark, startingPosition: isStart } };
}

/** An invisible portal with the size of the node's mesh; without a mesh, the size of a door. */
function doorFor(
  { uri, at, body }: Meaning,
  way: (uri: string) => LinkTarget | null,
  placeCalled: (title: string) => string | undefined,
): Attributes | null {
  const leads = leading(way(uri), placeCalled);
  if (leads === null) return null;
  const { position, rotation, scale } = at;
  if (body === null) {
    const glass = { color: "#7ec8b7", opacity: 0.7, transparent: true };
    const raised = { ...position, y: position.y + DOOR.height / 2 };
    return { object_type: "box", position: raised, rotation, ...DOOR, material: glass, ...leads };
  }
  const { middle, size } = body;
  const turned = turn(rotation, { x: middle.x * scale.x, y: middle.y * scale.y, z: middle.z * scale.z });
  const round = (value: number): number => Math.round(value * 1e4) / 1e4 || 0;
  return {
    object_type: "box",
    position: { x: round(position.x + turned.x), y: round(position.y + turned.y), z: round(position.z + turned.z) },
    rotation,
    // Slightly larger than the mesh, so that the portal takes the press.
    width: round(Math.max(0.05, Math.abs(size.x * scale.x) * 1.02)),
    height: round(Math.max(0.05, Math.abs(size.y * scale.y) * 1.02)),
    depth: round(Math.max(0.05, Math.abs(size.z * scale.z) * 1.02)),
    material: { opacity: 0, transparent: true, depthWrite: false },
    shadow: { cast: false, receive: false },
    ...leads,
  };
}

function leading(way: LinkTarget | null, placeCalled: (title: string) => string | undefined): Attributes | null {
  if (way === null) return null;
  switch (way.kind) {
    case "portal":
      return { portal: { scene: way.to.scene, landmark: way.to.landmark, radius: 0.8 } };
    case "address":
      return { "goto-url": { url: way.url, dest: "newtab", on: "mousedown" } };
    case "here": {
      const landmark = placeCalled(way.place);
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
