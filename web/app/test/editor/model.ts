/** Generates a real glTF model: a wavy sheet with a texture. */
import { crc32, deflateSync } from "node:zlib";
import { Document, WebIO } from "@gltf-transform/core";

/** A PNG in many colours with the given side in pixels. */
export function pngOf(side: number): Uint8Array {
  const rows = Buffer.alloc(side * (1 + side * 3));
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      const at = y * (1 + side * 3) + 1 + x * 3;
      rows.set([(x * 7) & 255, (y * 5) & 255, (x * y) & 255], at);
    }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const chunks = [chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...chunks]));
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(content.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/**
 * `side` is the number of points along an edge; `twice` repeats the mesh, as some exporters do; `texture` replaces the
 * small default picture.
 */
export async function makeModel(how: {
  side: number;
  twice?: boolean;
  texture?: Uint8Array;
}): Promise<Uint8Array<ArrayBuffer>> {
  const { side, twice = false, texture = pngOf(16) } = how;
  const document = new Document();
  const buffer = document.createBuffer();
  const picture = document.createTexture("white").setImage(new Uint8Array(texture)).setMimeType("image/png");
  const material = document.createMaterial("sheet").setBaseColorTexture(picture).setDoubleSided(true);
  const mesh = () => {
    const { points, normals, places, triangles } = sheet(side);
    const accessor = (type: "VEC2" | "VEC3" | "SCALAR", array: Float32Array | Uint32Array) =>
      document
        .createAccessor()
        .setType(type)
        .setArray(new (array.constructor as Float32ArrayConstructor)(array))
        .setBuffer(buffer);
    const primitive = document
      .createPrimitive()
      .setAttribute("POSITION", accessor("VEC3", points))
      .setAttribute("NORMAL", accessor("VEC3", normals))
      .setAttribute("TEXCOORD_0", accessor("VEC2", places))
      .setIndices(document.createAccessor().setType("SCALAR").setArray(triangles).setBuffer(buffer))
      .setMaterial(material);
    return document.createMesh("sheet").addPrimitive(primitive);
  };
  const scene = document.createScene("scene");
  scene.addChild(document.createNode("sheet").setMesh(mesh()));
  if (twice) scene.addChild(document.createNode("again").setMesh(mesh()).setTranslation([2, 0, 0]));
  scene.addChild(document.createNode("door"));
  return new Uint8Array(await new WebIO().writeBinary(document));
}

function sheet(side: number) {
  const points = new Float32Array(side * side * 3);
  const normals = new Float32Array(side * side * 3);
  const places = new Float32Array(side * side * 2);
  const triangles = new Uint32Array((side - 1) * (side - 1) * 6);
  for (let at = 0; at < side * side; at += 1) {
    const [u, v] = [(at % side) / (side - 1), Math.floor(at / side) / (side - 1)];
    points.set([u - 0.5, 0.5 + Math.sin(u * 9) * 0.1, v - 0.5], at * 3);
    normals.set([0, 1, 0], at * 3);
    places.set([u, v], at * 2);
  }
  let next = 0;
  for (let row = 0; row < side - 1; row += 1)
    for (let column = 0; column < side - 1; column += 1) {
      const [a, b] = [row * side + column, (row + 1) * side + column];
      triangles.set([a, b, a + 1, b, b + 1, a + 1], next);
      next += 6;
    }
  return { points, normals, places, triangles };
}
