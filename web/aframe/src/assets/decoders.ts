/** Creates glTF loaders with decoders of compressed geometry and textures, each fetched from the realm on first use. */
import basisWasm from "three/examples/jsm/libs/basis/basis_transcoder.wasm?url";
import dracoWasm from "three/examples/jsm/libs/draco/gltf/draco_decoder.wasm?url";
import dracoScript from "three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js?url";
import type { AFrameAdapter, GltfLoaderFactory, LoadersOfAFrame, Three } from "../aframe.ts";
import { basisScript } from "./basis-script.ts";

/** The realm's URL of each decoder file, by the file name that three.js requests. */
const SERVED: Readonly<Record<string, string>> = {
  "basis_transcoder.wasm": basisWasm,
  "draco_decoder.wasm": dracoWasm,
  "draco_wasm_wrapper.js": dracoScript,
};

/** The glTF loaders of one scene, whose GPU determines the texture formats. */
export class SceneGltfLoaderFactory implements GltfLoaderFactory {
  readonly #aframe: AFrameAdapter;
  readonly #renderer: Three.WebGLRenderer;
  readonly #manager: Three.LoadingManager;
  #draco: InstanceType<LoadersOfAFrame["DRACOLoader"]> | undefined;
  #ktx2: InstanceType<LoadersOfAFrame["KTX2Loader"]> | undefined;
  #basis: Promise<string> | undefined;
  #basisAddress = "";

  constructor(aframe: AFrameAdapter, renderer: Three.WebGLRenderer) {
    this.#aframe = aframe;
    this.#renderer = renderer;
    this.#manager = new aframe.THREE.LoadingManager();
    this.#manager.setURLModifier((name) =>
      name === "basis_transcoder.js" ? this.#basisAddress : (SERVED[name] ?? name),
    );
  }

  async gltf(
    manager: Three.LoadingManager,
    extensions: readonly string[],
  ): Promise<InstanceType<LoadersOfAFrame["GLTFLoader"]>> {
    const { GLTFLoader, DRACOLoader, KTX2Loader } = this.#aframe.loaders;
    const loader = new GLTFLoader(manager);
    if (extensions.includes("KHR_draco_mesh_compression")) {
      this.#draco ??= new DRACOLoader(this.#manager).setDecoderPath("");
      loader.setDRACOLoader(this.#draco);
    }
    if (extensions.includes("KHR_texture_basisu")) {
      this.#basis ??= basisScript().catch((error: unknown) => {
        // Lets the next file retry the download.
        this.#basis = undefined;
        throw error;
      });
      this.#basisAddress = await this.#basis;
      this.#ktx2 ??= new KTX2Loader(this.#manager).setTranscoderPath("").detectSupport(this.#renderer);
      loader.setKTX2Loader(this.#ktx2);
    }
    if (extensions.some((name) => name.endsWith("_meshopt_compression"))) {
      const { MeshoptDecoder } = await import("three/addons/libs/meshopt_decoder.module.js");
      await MeshoptDecoder.ready;
      loader.setMeshoptDecoder(MeshoptDecoder);
    }
    return loader;
  }

  /** Stops the decoders' workers. */
  dispose(): void {
    this.#draco?.dispose();
    this.#ktx2?.dispose();
    if (this.#basisAddress !== "") URL.revokeObjectURL(this.#basisAddress);
    this.#draco = this.#ktx2 = this.#basis = undefined;
  }
}
