/** A minimal VRM 1.0: bones and one triangle, as glTF JSON. */

/** Each bone's parent and its position within it. */
const BONES: readonly (readonly [name: string, parent: string | null, x: number, y: number])[] = [
  ["hips", null, 0, 0.9],
  ["spine", "hips", 0, 0.2],
  ["head", "spine", 0, 0.35],
  ["leftUpperArm", "spine", 0.2, 0.2],
  ["leftLowerArm", "leftUpperArm", 0.28, 0],
  ["leftHand", "leftLowerArm", 0.25, 0],
  ["rightUpperArm", "spine", -0.2, 0.2],
  ["rightLowerArm", "rightUpperArm", -0.28, 0],
  ["rightHand", "rightLowerArm", -0.25, 0],
  ["leftUpperLeg", "hips", 0.1, 0],
  ["leftLowerLeg", "leftUpperLeg", 0, -0.42],
  ["leftFoot", "leftLowerLeg", 0, -0.42],
  ["rightUpperLeg", "hips", -0.1, 0],
  ["rightLowerLeg", "rightUpperLeg", 0, -0.42],
  ["rightFoot", "rightLowerLeg", 0, -0.42],
];

/** The file, with `copies` of its triangle. */
export function smallVrm(copies = 1): string {
  const nodes = BONES.map(([name, , x, y]) => ({
    name,
    translation: [x, y, 0],
    children: BONES.flatMap(([, parent], at) => (parent === name ? [at] : [])),
    ...(name === "head" ? { mesh: 0 } : {}),
  })).map(({ children, ...node }) => (children.length > 0 ? { ...node, children } : node));
  const indices = Uint32Array.from({ length: copies * 3 }, (_, at) => at % 3);
  const bytes = new Uint8Array(36 + indices.byteLength);
  bytes.set(new Uint8Array(Float32Array.of(0, 0, 0, 0.1, 0, 0, 0, 0.1, 0).buffer));
  bytes.set(new Uint8Array(indices.buffer), 36);
  const humanBones = Object.fromEntries(BONES.map(([name], node) => [name, { node }]));
  const meta = { name: "Small", version: "1", authors: ["Stoa"], licenseUrl: "https://vrm.dev/licenses/1.0/" };
  return JSON.stringify({
    asset: { version: "2.0" },
    extensionsUsed: ["VRMC_vrm"],
    extensions: { VRMC_vrm: { specVersion: "1.0", meta, humanoid: { humanBones } } },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes,
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [0.1, 0.1, 0] },
      { bufferView: 1, componentType: 5125, count: indices.length, type: "SCALAR" },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 36 },
      { buffer: 0, byteOffset: 36, byteLength: indices.byteLength },
    ],
    buffers: [{ byteLength: bytes.length, uri: `data:application/octet-stream;base64,${base64(bytes)}` }],
  });
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
