import { Object3D, Quaternion, Vector3 } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { expect, test, vi } from "vitest";
import { codeOf } from "../../src/assets/asset-error.ts";
import { ByteBudget, fetchAsset } from "../../src/assets/fetch-asset.ts";
import { loadAsset } from "../../src/assets/load-asset.ts";
import { parseVrm } from "../../src/assets/parse-vrm.ts";
import { BODY_BYTES_MAX, BODY_TRIANGLES_MAX } from "../../src/limits.ts";
import type { TrackedBodyInput } from "../../src/people/body-pose.ts";
import { refusalOf } from "../../src/people/model-check.ts";
import { vrmBodyOf } from "../../src/people/vrm-body.ts";
import { stubAFrame, stubScene } from "../stub-aframe.ts";
import { smallVrm } from "./small-vrm.ts";

const KNOWN: TrackedBodyInput = { head: { x: 0, y: 1.6, z: 0 }, yawRad: 0, eyesM: 1.6, hands: [null, null] };

function read(file: string) {
  const aframe = stubAFrame();
  const loaders = { gltf: async () => new GLTFLoader() };
  const parsing = { aframe, loaders, url: "/x.vrm", base: "/x.vrm", budget: new ByteBudget(BODY_BYTES_MAX) };
  return parseVrm(new TextEncoder().encode(file), { ...parsing, signal: new AbortController().signal });
}

async function worn(known: Partial<TrackedBodyInput> = {}, head = new Quaternion()) {
  const body = vrmBodyOf(stubAFrame(), (await read(smallVrm())).vrm);
  if (body === null) throw new Error("there is no body");
  body.update({ ...KNOWN, ...known }, head, 0.016);
  const scene = new Object3D();
  // The group's origin is the head.
  scene.add(body.group);
  body.group.position.set(0, 1.6, 0);
  scene.updateMatrixWorld(true);
  const place = (name: string) => {
    const bone = scene.getObjectByName(name);
    if (bone === undefined) throw new Error(`there is no ${name}`);
    return bone.getWorldPosition(new Vector3());
  };
  return { body, scene, place };
}

test("a VRM stands on the floor at the user's eye height and faces the user's direction", async () => {
  const { place, scene } = await worn();
  expect(place("head").y).toBeGreaterThan(1.45);
  expect(place("head").y).toBeLessThan(1.6);
  expect(Math.abs(place("leftFoot").y)).toBeLessThan(0.15);
  // The avatar's front is +z in the file, and -z for a gaze along -z.
  const front = new Vector3(0, 0, 1).applyQuaternion(
    scene.getObjectByName("head")?.getWorldQuaternion(new Quaternion()) ?? new Quaternion(),
  );
  expect(front.z).toBeCloseTo(-1, 3);
  expect(place("leftUpperArm").x, "left is left of who looks along -z").toBeLessThan(0);
});

test("a VRM's arms hang down without tracked hands, and reach for tracked ones", async () => {
  const hanging = await worn();
  expect(hanging.place("leftHand").y).toBeLessThan(hanging.place("leftUpperArm").y - 0.3);
  const reaching = await worn({ hands: [{ x: -0.3, y: 0.2, z: -0.4 }, null] });
  expect(reaching.place("leftHand").y).toBeGreaterThan(reaching.place("leftUpperArm").y + 0.1);
  expect(reaching.place("leftHand").z).toBeLessThan(-0.1);
});

test("a VRM of too many triangles is refused with their number", async () => {
  const refusal = await read(smallVrm(BODY_TRIANGLES_MAX + 1)).catch(refusalOf);
  expect(refusal).toEqual({ reason: "triangles", found: BODY_TRIANGLES_MAX + 1, limit: BODY_TRIANGLES_MAX });
});

test("a file that is no VRM is refused as broken, a missing one as away, a too large one by its bytes", async () => {
  const plain = JSON.stringify({ asset: { version: "2.0" }, scene: 0, scenes: [{}] });
  expect(await read(plain).catch(refusalOf)).toMatchObject({ reason: "broken" });
  const refusal = (answer: Response) => {
    vi.stubGlobal("fetch", () => Promise.resolve(answer));
    const options = { budget: new ByteBudget(BODY_BYTES_MAX), signal: new AbortController().signal };
    return fetchAsset("/x.vrm", options).catch(refusalOf);
  };
  expect(await refusal(new Response("", { status: 404 }))).toMatchObject({ reason: "away" });
  const told = { headers: { "content-length": String(BODY_BYTES_MAX + 1) } };
  expect(await refusal(new Response("x", told))).toEqual({ reason: "bytes", found: 21, limit: 20 });
  const endless = new ReadableStream<Uint8Array>({ pull: (sink) => sink.enqueue(new Uint8Array(1e6)) });
  expect(await refusal(new Response(endless))).toMatchObject({ reason: "bytes" });
  vi.unstubAllGlobals();
});

test("an avatar file that references another host is refused without a request to that host", async () => {
  const aframe = stubAFrame();
  const image = { uri: "https://elsewhere.example/who-looks.png" };
  const file = JSON.stringify({ asset: { version: "2.0" }, images: [image], scene: 0, scenes: [{}] });
  const asked: string[] = [];
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(url);
    return Promise.resolve(new Response(asked.length === 1 ? file : "x"));
  });
  const surroundings = { aframe, scene: stubScene(), decoders: { gltf: async () => new GLTFLoader() } };
  const load = async (kind: "gltf" | "head" | "vrm") => {
    asked.length = 0;
    const name = { kind, src: "https://realm.example/store/users/mallory/me.bin", base: "" };
    const outcome = await loadAsset(surroundings, name, new AbortController().signal, 1e9).catch(codeOf);
    return { outcome, asked: asked.slice(1) };
  };
  for (const kind of ["head", "vrm"] as const) expect(await load(kind)).toEqual({ outcome: "not-allowed", asked: [] });
  expect((await load("gltf")).asked, "negative control: what is built may").toEqual([image.uri]);
  vi.unstubAllGlobals();
});
