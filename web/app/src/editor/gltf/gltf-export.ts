/**
 * Exports a scene's visible objects as a binary glTF. Landmarks are written as `OMI_spawn_point`, portals and links as
 * `OMI_link`.
 */
import type { SceneObject } from "@stoa/client";
import type { Material, Mesh, Object3D, Texture } from "three";
import { GLTFExporter } from "three/addons/exporters/GLTFExporter.js";
import { clone } from "three/addons/utils/SkeletonUtils.js";
import { texts } from "../../texts/texts.ts";
import { extensionsOf } from "./omi.ts";

/** The exported file. */
export interface GltfExportResult {
  readonly file: Blob;
  /** Number of textures left out because a page can't read them: GPU-compressed, of a video, or from another origin. */
  readonly texturesLost: number;
}

type OmiExtensions = ReturnType<typeof extensionsOf>;

/** Exports the given objects as an `a-scene` draws them; `undefined` if none is drawn. */
export async function exportScene(
  scene: Element,
  objects: ReadonlyMap<string, SceneObject>,
): Promise<GltfExportResult | undefined> {
  const shown = new Map<unknown, string>();
  for (const el of scene.querySelectorAll("[data-object-id]")) {
    const object = objectOf(el);
    const id = el instanceof HTMLElement ? el.dataset.objectId : undefined;
    if (object !== undefined && id !== undefined && objects.has(id)) shown.set(object, id);
  }
  const tops = [...shown.keys()].filter(isObject3D).filter((object) => !isBelow(object, shown));
  if (tops.length === 0) return undefined;
  const extensionsByNode = new Map<unknown, OmiExtensions>();
  const copies = tops.map((top) => {
    const copy = clone(top);
    visitInParallel(top, copy, (original, copied) => {
      const id = shown.get(original);
      copied.userData = {};
      if (id === undefined) return;
      copied.name = id;
      const extensions = extensionsOf(id, objects.get(id)?.attributes ?? {}, location.origin);
      if (Object.keys(extensions).length > 0) extensionsByNode.set(copied, extensions);
    });
    return copy;
  });
  for (const copy of copies) prune(copy, extensionsByNode);
  const texturesLost = dropUnreadableTextures(copies);
  return { file: await writeGlb(copies, extensionsByNode), texturesLost };
}

async function writeGlb(
  copies: readonly Object3D[],
  extensionsByNode: ReadonlyMap<unknown, OmiExtensions>,
): Promise<Blob> {
  const exporter = new GLTFExporter();
  exporter.register((writer) => ({
    writeNode(object: Object3D, node: { extensions?: Record<string, unknown> }) {
      const extensions = extensionsByNode.get(object);
      if (extensions === undefined) return;
      node.extensions = { ...node.extensions, ...extensions };
      for (const name of Object.keys(extensions)) writer.extensionsUsed[name] = true;
    },
  }));
  const file = await exporter.parseAsync([...copies], { binary: true, onlyVisible: true });
  if (!(file instanceof ArrayBuffer)) throw new Error(texts.scenes.carry.notWritten);
  return new Blob([file], { type: "model/gltf-binary" });
}

/** Removes hidden nodes, and hides meshes that are fully transparent or have our own shaders, as texts and effects. */
function prune(copy: Object3D, extensionsByNode: ReadonlyMap<unknown, OmiExtensions>): void {
  for (const child of [...copy.children]) {
    if (!child.visible) child.removeFromParent();
    else prune(child, extensionsByNode);
  }
  if (!isMesh(copy)) return;
  const materials = Array.isArray(copy.material) ? copy.material : [copy.material];
  const isPlain = materials.every((material) => !("isShaderMaterial" in material) && material.visible);
  // A transparent surface that only receives presses isn't exported.
  const isSeen = materials.some(({ opacity, transparent }) => !transparent || opacity > 0.01);
  if (!isPlain || !isSeen) copy.visible = false;
  // A node with an OMI extension stays visible, so that it is exported.
  if (!copy.visible && extensionsByNode.has(copy)) copy.visible = true;
}

const MAPS = ["map", "normalMap", "roughnessMap", "metalnessMap", "emissiveMap", "aoMap", "alphaMap"] as const;

/** Removes textures that can't be read back. Returns their number. */
function dropUnreadableTextures(copies: readonly Object3D[]): number {
  const lost = new Set<Texture>();
  for (const copy of copies)
    copy.traverse((object) => {
      if (!isMesh(object)) return;
      const plain = (material: Material): Material => withoutUnreadableMaps(material, lost);
      object.material = Array.isArray(object.material) ? object.material.map(plain) : plain(object.material);
    });
  return lost.size;
}

function withoutUnreadableMaps(material: Material, lost: Set<Texture>): Material {
  const fields: Record<string, unknown> = {};
  for (const map of MAPS) {
    const texture: unknown = Reflect.get(material, map);
    if (!isTexture(texture) || isReadable(texture)) continue;
    lost.add(texture);
    fields[map] = null;
  }
  // The scene's own material isn't modified.
  return Object.keys(fields).length === 0 ? material : Object.assign(material.clone(), fields);
}

function isReadable(texture: Texture): boolean {
  if ("isCompressedTexture" in texture || "isVideoTexture" in texture) return false;
  const image: unknown = texture.image;
  if (image instanceof HTMLVideoElement) return false;
  if (image instanceof HTMLImageElement)
    return (
      new URL(image.src, location.href).origin === location.origin ||
      image.src.startsWith("blob:") ||
      image.src.startsWith("data:")
    );
  return image !== null && image !== undefined;
}

/** Visits two trees of the same structure in parallel. */
function visitInParallel(
  original: Object3D,
  copy: Object3D,
  visit: (original: Object3D, copy: Object3D) => void,
): void {
  visit(original, copy);
  for (const [at, child] of original.children.entries()) {
    const copied = copy.children[at];
    if (copied !== undefined) visitInParallel(child, copied, visit);
  }
}

function isBelow(object: Object3D, shown: ReadonlyMap<unknown, string>): boolean {
  for (let above = object.parent; above !== null; above = above.parent) if (shown.has(above)) return true;
  return false;
}

function objectOf(el: Element): Object3D | undefined {
  const object: unknown = "object3D" in el ? el.object3D : undefined;
  return isObject3D(object) ? object : undefined;
}

function isObject3D(value: unknown): value is Object3D {
  return typeof value === "object" && value !== null && "isObject3D" in value;
}

function isMesh(value: Object3D): value is Mesh {
  return "isMesh" in value;
}

function isTexture(value: unknown): value is Texture {
  return typeof value === "object" && value !== null && "isTexture" in value;
}
