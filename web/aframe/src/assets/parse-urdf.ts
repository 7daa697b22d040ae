/** Parses robots in the URDF format, whose meshes may be STL, COLLADA or glTF. */
import { ColladaLoader } from "three/addons/loaders/ColladaLoader.js";
import { STLLoader } from "three/addons/loaders/STLLoader.js";
import URDFLoader from "urdf-loader";
import type { Three } from "../aframe.ts";
import { PARTS_MAX } from "../limits.ts";
import { AssetError } from "./asset-error.ts";
import { FileDependencyLoader, type ParseContext, type ParsedFile } from "./parse-context.ts";
import { parseGltf } from "./parse-gltf.ts";

/** Parses a `.urdf`; its meshes may be STL, COLLADA and glTF. */
export async function parseUrdf(bytes: Uint8Array<ArrayBuffer>, parsing: ParseContext): Promise<ParsedFile> {
  const { THREE } = parsing.aframe;
  const files = new FileDependencyLoader(parsing);
  const pending: Promise<void>[] = [];
  const loader = new URDFLoader(files.manager);
  loader.packages = (name) => new URL(name, parsing.base).href;
  loader.workingPath = THREE.LoaderUtils.extractUrlBase(parsing.base);
  loader.loadMeshCb = (path, _manager, material, done) => {
    if (pending.length >= PARTS_MAX) return done(new THREE.Group());
    pending.push(meshOf(path, material, files, parsing).then((mesh) => done(mesh)));
  };
  const robot = loader.parse(new TextDecoder().decode(bytes));
  await Promise.all(pending);
  if (Object.keys(robot.links).length === 0) throw new AssetError("unreadable", "the robot has no links");
  // URDF has z up.
  robot.rotation.x = -Math.PI / 2;
  return { root: robot, copy: () => robot.clone() };
}

async function meshOf(
  path: string,
  material: Three.Material,
  files: FileDependencyLoader,
  parsing: ParseContext,
): Promise<Three.Object3D> {
  const { THREE } = parsing.aframe;
  const bytes = await files.fetch(path);
  const kind = /\.([a-z]+)(?:[?#].*)?$/i.exec(path)?.[1]?.toLowerCase();
  if (kind === "stl") return new THREE.Mesh(new STLLoader().parse(bytes.buffer), material);
  if (kind === "dae") {
    const parsed = new ColladaLoader(files.manager).parse(new TextDecoder().decode(bytes), "");
    if (!parsed) throw new AssetError("unreadable", path);
    return parsed.scene;
  }
  if (kind === "glb" || kind === "gltf") return (await parseGltf(bytes, { ...parsing, base: path })).root;
  throw new AssetError("unreadable", `unsupported mesh type ${kind}`);
}
