/** A VRM 1.0 of boxes, visible and acceptable to a realm. */

/** Each bone with its parent, its position in the parent, and the size and centre of its box. */
const BONES = [
  ["hips", null, [0, 0.9, 0], [0.3, 0.2, 0.18], [0, 0, 0]],
  ["spine", "hips", [0, 0.12, 0], [0.32, 0.4, 0.18], [0, 0.22, 0]],
  ["head", "spine", [0, 0.5, 0], [0.2, 0.24, 0.22], [0, 0.12, 0]],
  ["leftUpperArm", "spine", [0.2, 0.38, 0], [0.28, 0.09, 0.09], [0.14, 0, 0]],
  ["leftLowerArm", "leftUpperArm", [0.28, 0, 0], [0.25, 0.08, 0.08], [0.125, 0, 0]],
  ["leftHand", "leftLowerArm", [0.25, 0, 0], [0.12, 0.05, 0.1], [0.06, 0, 0]],
  ["rightUpperArm", "spine", [-0.2, 0.38, 0], [0.28, 0.09, 0.09], [-0.14, 0, 0]],
  ["rightLowerArm", "rightUpperArm", [-0.28, 0, 0], [0.25, 0.08, 0.08], [-0.125, 0, 0]],
  ["rightHand", "rightLowerArm", [-0.25, 0, 0], [0.12, 0.05, 0.1], [-0.06, 0, 0]],
  ["leftUpperLeg", "hips", [0.1, -0.05, 0], [0.13, 0.42, 0.14], [0, -0.21, 0]],
  ["leftLowerLeg", "leftUpperLeg", [0, -0.42, 0], [0.11, 0.4, 0.12], [0, -0.2, 0]],
  ["leftFoot", "leftLowerLeg", [0, -0.4, 0], [0.1, 0.06, 0.22], [0, 0, 0.05]],
  ["rightUpperLeg", "hips", [-0.1, -0.05, 0], [0.13, 0.42, 0.14], [0, -0.21, 0]],
  ["rightLowerLeg", "rightUpperLeg", [0, -0.42, 0], [0.11, 0.4, 0.12], [0, -0.2, 0]],
  ["rightFoot", "rightLowerLeg", [0, -0.4, 0], [0.1, 0.06, 0.22], [0, 0, 0.05]],
];
const COLORS = {
  head: [0.9, 0.7, 0.55, 1],
  Hand: [0.9, 0.7, 0.55, 1],
  Leg: [0.15, 0.2, 0.35, 1],
  Foot: [0.1, 0.1, 0.1, 1],
};
const NOSE = { size: [0.05, 0.05, 0.08], middle: [0, 0.1, 0.14] };

/** Positions, normals and triangles of boxes. */
function boxes(parts) {
  const [places, normals, indices] = [[], [], []];
  for (const { size, middle } of parts) {
    for (let axis = 0; axis < 3; axis += 1) {
      for (const side of [-1, 1]) {
        const first = places.length / 3;
        for (const [u, v] of [
          [-1, -1],
          [1, -1],
          [1, 1],
          [-1, 1],
        ]) {
          const corner = [0, 0, 0];
          corner[axis] = side;
          corner[(axis + 1) % 3] = u;
          corner[(axis + 2) % 3] = v;
          places.push(...corner.map((one, at) => middle[at] + (one * size[at]) / 2));
          const normal = [0, 0, 0];
          normal[axis] = side;
          normals.push(...normal);
        }
        const order = side > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
        indices.push(...order.map((one) => first + one));
      }
    }
  }
  return { places, normals, indices };
}

/** The file's bytes. */
export function madeVrm() {
  const [views, accessors, meshes, chunks] = [[], [], [], []];
  let length = 0;
  const put = (array, type, more = {}) => {
    const bytes = Buffer.from(array.buffer);
    const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
    views.push({ buffer: 0, byteOffset: length, byteLength: bytes.length });
    const componentType = array instanceof Uint16Array ? 5123 : 5126;
    const count = array.length / (type === "VEC3" ? 3 : 1);
    accessors.push({ bufferView: views.length - 1, componentType, count, type, ...more });
    chunks.push(padded);
    length += padded.length;
    return accessors.length - 1;
  };
  const materials = [
    { pbrMetallicRoughness: { baseColorFactor: [0.75, 0.25, 0.2, 1], metallicFactor: 0, roughnessFactor: 1 } },
  ];
  for (const color of Object.values(COLORS))
    materials.push({ pbrMetallicRoughness: { baseColorFactor: color, metallicFactor: 0, roughnessFactor: 1 } });
  const nodes = BONES.map(([name, , translation, size, middle]) => {
    const parts = [{ size, middle }, ...(name === "head" ? [NOSE] : [])];
    const { places, normals, indices } = boxes(parts);
    const axis = (at) => places.filter((_, index) => index % 3 === at);
    const bounds = {
      min: [0, 1, 2].map((at) => Math.min(...axis(at))),
      max: [0, 1, 2].map((at) => Math.max(...axis(at))),
    };
    const POSITION = put(Float32Array.from(places), "VEC3", bounds);
    const NORMAL = put(Float32Array.from(normals), "VEC3");
    const material = 1 + Object.keys(COLORS).findIndex((part) => name.includes(part));
    meshes.push({
      primitives: [
        {
          attributes: { POSITION, NORMAL },
          indices: put(Uint16Array.from(indices), "SCALAR"),
          material,
        },
      ],
    });
    const children = BONES.flatMap(([, parent], at) => (parent === name ? [at] : []));
    return { name, translation, mesh: meshes.length - 1, ...(children.length > 0 ? { children } : {}) };
  });
  const humanBones = Object.fromEntries(BONES.map(([name], node) => [name, { node }]));
  const meta = { name: "Boxes", version: "1", authors: ["Stoa"], licenseUrl: "https://vrm.dev/licenses/1.0/" };
  const json = {
    asset: { version: "2.0" },
    extensionsUsed: ["VRMC_vrm"],
    extensions: { VRMC_vrm: { specVersion: "1.0", meta, humanoid: { humanBones } } },
    ...{ scene: 0, scenes: [{ nodes: [0] }], nodes, meshes, materials, accessors, bufferViews: views },
    buffers: [{ byteLength: length }],
  };
  return glb(JSON.stringify(json), Buffer.concat(chunks));
}

function glb(json, binary) {
  const text = Buffer.from(json.padEnd(Math.ceil(Buffer.byteLength(json) / 4) * 4));
  const header = Buffer.alloc(12);
  header.write("glTF");
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(28 + text.length + binary.length, 8);
  const chunk = (kind, bytes) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.write(kind, 4, "latin1");
    return Buffer.concat([head, bytes]);
  };
  return Buffer.concat([header, chunk("JSON", text), chunk("BIN\0", binary)]);
}
