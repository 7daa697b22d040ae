/** Real files of every type: compressed models by glTF Transform, and handmade files where no encoder exists. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Document, NodeIO } from "@gltf-transform/core";
import {
  ALL_EXTENSIONS,
  EXTMeshoptCompression,
  KHRDracoMeshCompression,
  KHRTextureBasisu,
} from "@gltf-transform/extensions";
import { createDefaultContainer, KHR_DF_MODEL_UASTC, write } from "ktx-parse";
import { MeshoptDecoder, MeshoptEncoder } from "meshoptimizer";
import { madeVrm } from "./made-vrm.mjs";

const require = createRequire(import.meta.url);

/** three.js's own encoder, a script that isn't a module. */
async function dracoEncoder() {
  const three = require.resolve("three").replace(/build\/[^/]*$/, "");
  const script = await readFile(`${three}examples/jsm/libs/draco/draco_encoder.js`, "utf8");
  const make = new Function("require", "__dirname", `${script}; return DracoEncoderModule;`)(require, "");
  return new Promise((resolve) => {
    make({
      onModuleLoaded(module) {
        // The module's `then` returns the module itself, so awaiting it would never end.
        delete module.then;
        resolve(module);
      },
    });
  });
}

/** A square of 1 m with a name, a morph target and a clip that lifts it by 2 m in a second. */
function square() {
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (type, array) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const corners = new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
  const primitive = document
    .createPrimitive()
    .setAttribute("POSITION", accessor("VEC3", corners))
    .setAttribute("TEXCOORD_0", accessor("VEC2", new Float32Array([0, 0, 1, 0, 1, 1, 0, 1])))
    .setIndices(accessor("SCALAR", new Uint16Array([0, 1, 2, 0, 2, 3])))
    .setMaterial(document.createMaterial("paint").setBaseColorFactor([1, 0.2, 0.2, 1]));
  const mesh = document.createMesh("square").addPrimitive(primitive);
  const node = document.createNode("lid").setMesh(mesh);
  document.createScene().addChild(node);
  return { document, accessor, primitive, mesh, node };
}

function animated() {
  const { document, accessor, primitive, mesh, node } = square();
  const wide = accessor("VEC3", new Float32Array([0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0]));
  primitive.addTarget(document.createPrimitiveTarget("wide").setAttribute("POSITION", wide));
  mesh.setExtras({ targetNames: ["wide"] }).setWeights([0]);
  const sampler = document
    .createAnimationSampler()
    .setInput(accessor("SCALAR", new Float32Array([0, 1])))
    .setOutput(accessor("VEC3", new Float32Array([0, 0, 0, 0, 2, 0])));
  const channel = document
    .createAnimationChannel()
    .setTargetNode(node)
    .setTargetPath("translation")
    .setSampler(sampler);
  document.createAnimation("open").addSampler(sampler).addChannel(channel);
  return document;
}

function draco() {
  const { document } = square();
  document.createExtension(KHRDracoMeshCompression).setRequired(true);
  return document;
}

function meshopt() {
  const { document } = square();
  document.createExtension(EXTMeshoptCompression).setRequired(true).setEncoderOptions({ method: "quantize" });
  return document;
}

/** A block of 4 × 4 pixels in one colour, by UASTC's mode for solid colours: five mode bits, then RGBA. */
function block([r, g, b, a]) {
  let bits = 0x17n;
  [r, g, b, a].forEach((value, at) => {
    bits |= BigInt(value) << BigInt(5 + 8 * at);
  });
  return Uint8Array.from({ length: 16 }, (_, at) => Number((bits >> BigInt(8 * at)) & 0xffn));
}

function ktx2File() {
  const container = createDefaultContainer();
  container.vkFormat = 0;
  container.pixelWidth = container.pixelHeight = 4;
  container.levelCount = 1;
  const levelData = block([10, 200, 30, 255]);
  container.levels = [{ levelData, uncompressedByteLength: levelData.length }];
  const descriptor = container.dataFormatDescriptor[0];
  descriptor.colorModel = KHR_DF_MODEL_UASTC;
  descriptor.colorPrimaries = 1;
  descriptor.transferFunction = 2;
  descriptor.texelBlockDimension = [3, 3, 0, 0];
  descriptor.bytesPlane = [16, 0, 0, 0, 0, 0, 0, 0];
  descriptor.samples = [
    {
      ...{ bitOffset: 0, bitLength: 127, channelType: 0, samplePosition: [0, 0, 0, 0] },
      ...{ sampleLower: 0, sampleUpper: 0xffffffff },
    },
  ];
  return write(container);
}

function ktx2() {
  const { document, primitive } = square();
  document.createExtension(KHRTextureBasisu).setRequired(true);
  const texture = document.createTexture("green").setMimeType("image/ktx2").setImage(ktx2File());
  primitive.getMaterial().setBaseColorTexture(texture);
  return document;
}

const PCD = `# .PCD v.7
VERSION .7
FIELDS x y z
SIZE 4 4 4
TYPE F F F
COUNT 1 1 1
WIDTH 3
HEIGHT 1
VIEWPOINT 0 0 0 1 0 0 0
POINTS 3
DATA ascii
0 0 0
1 0 0
0 1 0
`;

const URDF = `<?xml version="1.0"?>
<robot name="arm">
  <link name="base"><visual><geometry><box size="1 1 0.2"/></geometry></visual></link>
  <link name="upper"><visual><geometry><mesh filename="meshes/upper.stl"/></geometry></visual></link>
  <joint name="elbow" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3" effort="1" velocity="1"/>
  </joint>
</robot>`;

const STL = `solid upper
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 1 0
endloop
endfacet
endsolid upper
`;

const THREE_JSON = JSON.stringify({
  metadata: { version: 4.6, type: "Object", generator: "Object3D.toJSON" },
  geometries: [{ uuid: "g", type: "SphereGeometry", radius: 1, widthSegments: 1e9, heightSegments: 8 }],
  materials: [
    {
      uuid: "m",
      type: "ShaderMaterial",
      vertexShader: "void main() { for (;;) {} }",
      fragmentShader: "void main() {}",
    },
  ],
  object: { uuid: "o", type: "Group", children: [{ uuid: "c", type: "Mesh", geometry: "g", material: "m" }] },
});

/** A hundred splats in a row, in the usual `.ply` layout of splats. */
function splats() {
  const names = ["x", "y", "z", "f_dc_0", "f_dc_1", "f_dc_2", "opacity", "scale_0", "scale_1", "scale_2"];
  names.push("rot_0", "rot_1", "rot_2", "rot_3");
  const count = 100;
  const properties = names.map((name) => `property float ${name}`).join("\n");
  const header = `ply\nformat binary_little_endian 1.0\nelement vertex ${count}\n${properties}\nend_header\n`;
  const numbers = new Float32Array(count * names.length);
  for (let at = 0; at < count; at += 1) {
    numbers.set([at / 50 - 1, 0, 0, 1, 0, -1, 5, -3, -3, -3, 1, 0, 0, 0], at * names.length);
  }
  return Buffer.concat([Buffer.from(header), Buffer.from(numbers.buffer)]);
}

const OBJ =
  "mtllib square.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl paint\nf 1/1 2/2 3/3 4/4\n";
const MTL = "newmtl paint\nKd 0.5 1 0.5\nmap_Kd -s 1 1 1 dot.png\n";
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10" fill="red"/></svg>';
/** A picture of one pixel. */
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A tone of 0.05 s. */
function wav() {
  const samples = 400;
  const file = Buffer.alloc(44 + samples);
  file.write("RIFF", 0);
  file.writeUInt32LE(36 + samples, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(8_000, 24);
  file.writeUInt32LE(8_000, 28);
  file.writeUInt16LE(1, 32);
  file.writeUInt16LE(8, 34);
  file.write("data", 36);
  file.writeUInt32LE(samples, 40);
  for (let at = 0; at < samples; at += 1) file[44 + at] = 128 + Math.round(60 * Math.sin(at / 3));
  return file;
}

/**
 * The square as a link to a garden, beside a spawn point, by extensions of the Open Metaverse Interoperability Group.
 */
function meant(plain) {
  const end = 20 + plain.readUInt32LE(12);
  const json = JSON.parse(plain.subarray(20, end).toString("utf8"));
  json.extensionsUsed = ["OMI_link", "OMI_spawn_point"];
  json.nodes[0].extensions = { OMI_link: { uri: "./garden#pond" } };
  json.nodes.push({ translation: [3, 0, -4], extensions: { OMI_spawn_point: { title: "Hill East" } } });
  json.scenes[0].nodes.push(json.nodes.length - 1);
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, " ")]);
  const file = Buffer.concat([plain.subarray(0, 20), padded, plain.subarray(end)]);
  file.writeUInt32LE(file.length, 8);
  file.writeUInt32LE(padded.length, 12);
  return file;
}

/** All files by path. */
export async function madeFiles() {
  await MeshoptEncoder.ready;
  const io = new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
    "draco3d.encoder": await dracoEncoder(),
    "meshopt.decoder": MeshoptDecoder,
    "meshopt.encoder": MeshoptEncoder,
  });
  const glb = (document) => io.writeBinary(document).then(Buffer.from);
  const plain = await glb(square().document);
  return new Map([
    ["/store/plain.glb", plain],
    ["/store/meant.glb", meant(plain)],
    ["/store/animated.glb", await glb(animated())],
    ["/store/draco.glb", await glb(draco())],
    ["/store/meshopt.glb", await glb(meshopt())],
    ["/store/ktx2.glb", await glb(ktx2())],
    ["/store/body.vrm", madeVrm()],
    ["/store/square.obj", Buffer.from(OBJ)],
    ["/store/square.mtl", Buffer.from(MTL)],
    ["/store/dot.png", Buffer.from(PNG, "base64")],
    ["/store/red.svg", Buffer.from(SVG)],
    ["/store/tone.wav", wav()],
    ["/store/cut-off.glb", plain.subarray(0, 64)],
    ["/store/garbage.glb", Buffer.from("this is no model")],
    ["/store/room.pcd", Buffer.from(PCD)],
    ["/store/robots/arm.urdf", Buffer.from(URDF)],
    ["/store/robots/meshes/upper.stl", Buffer.from(STL)],
    ["/store/room.json", Buffer.from(THREE_JSON)],
    ["/store/room.ply", splats()],
  ]);
}
