import type { Person } from "@stoa/client";
import { Group, Vector3 } from "three";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NEAR_PEOPLE_MAX, SPEAKER_NEAR_MS, VRM_PEOPLE_MAX } from "../../src/limits.ts";
import { PeopleView } from "../../src/people/people-view.ts";
import { MotionDelay, type PoseTrack } from "../../src/people/track.ts";
import { FakeMotion } from "../fake-session.ts";
import { stubEntity, stubScene } from "../stub-aframe.ts";

// Gives the view's entities their three.js part, as A-Frame would.
const settingsOf = new WeakMap<Element, unknown>();
const create = document.createElement.bind(document);
beforeEach(() => {
  vi.spyOn(document, "createElement").mockImplementation((tag: string) =>
    Object.assign(create(tag), {
      object3D: new Group(),
      getObject3D: () => undefined,
      setAttribute(this: HTMLElement, name: string, value: unknown) {
        if (name === "stoa-avatar") settingsOf.set(this, value);
        else Element.prototype.setAttribute.call(this, name, String(value));
      },
    }),
  );
});
afterEach(() => vi.restoreAllMocks());

const here = { position: [1, 1.6, 0], rotation: [0, 0, 0, 1] } as const;
const hand = { objectId: "handLeft_ada_1", attributes: {}, pose: here } as const;

/** Ada's state in camera messages. */
const ada: Person = {
  idTag: "ada_1",
  userClient: "ada_1_web",
  displayName: "Ada",
  color: "#ff0000",
  headModelPath: "",
  pose: here,
  hands: { left: hand },
};

/** A people view, and lookups of drawn heads and left hands at a time. */
function view() {
  const motion = new FakeMotion();
  const clock = { ms: 10_000 };
  const root = stubEntity(stubScene());
  const people = new PeopleView({
    root,
    base: "https://realm.local/",
    now: () => clock.ms,
    motion,
    delay: new MotionDelay(),
    onAdded: () => undefined,
  });
  const at = (track: PoseTrack | null | undefined): number | null => {
    const pose = new Float64Array(7);
    if (!track?.isKnown) return null;
    track.sample(clock.ms, pose);
    return pose[0] ?? null;
  };
  const drawn = (ms: number): (number | null)[] => {
    clock.ms = ms;
    people.tick(ms, new Vector3());
    return [...people.distant].flatMap(({ head, left }) => [at(head), at(left)]);
  };
  return { motion, people, drawn, root };
}

test("a person without motion-plane poses is not drawn while the motion plane decides", () => {
  const { motion, people, drawn } = view();
  people.apply(ada);
  expect(drawn(10_500), "negative control: cameras decide").toEqual([1, 1]);
  motion.decides = true;
  expect(drawn(10_600)).toEqual([null, null]);
  people.apply({ ...ada, pose: { ...here }, hands: { left: { ...hand, pose: { ...here } } } });
  expect(drawn(10_700), "a snapshot says it again").toEqual([null, null]);
  motion.move("head", "ada_1", 10_700, [2, 1.6, 0, 0, 0, 0, 1]);
  motion.move("left", "ada_1", 10_700, [3, 1.6, 0, 0, 0, 0, 1]);
  expect(drawn(11_000)).toEqual([2, 3]);
  motion.lose("left", "ada_1");
  expect(drawn(11_100)).toEqual([2, null]);
  motion.lose("head", "ada_1");
  expect(drawn(11_200), "she left the interest set").toEqual([null, null]);
});

test("people without a motion plane are drawn at their camera messages or last poses", () => {
  const { motion, people, drawn } = view();
  motion.decides = true;
  people.apply(ada);
  people.apply({ ...ada, idTag: "bo_1" });
  motion.move("head", "bo_1", 10_000, [2, 1.6, 0, 0, 0, 0, 1]);
  expect(drawn(10_500), "negative control").toEqual([null, null, 2, null]);
  motion.decides = false;
  motion.lose("head", "bo_1");
  expect(drawn(10_600)).toEqual([1, 1, 2, 1]);
  people.apply({ ...ada, idTag: "bo_1", pose: { ...here } });
  expect(drawn(11_000)).toEqual([1, 1, 1, 1]);
});

test("a visible person gets a near entity before people without a pose", () => {
  const { motion, people, drawn, root } = view();
  motion.decides = true;
  const names = Array.from({ length: NEAR_PEOPLE_MAX }, (_, at) => `far_${at}`);
  for (const idTag of names) people.apply({ ...ada, idTag });
  people.apply(ada);
  motion.move("head", "ada_1", 10_000, [2, 1.6, 0, 0, 0, 0, 1]);
  drawn(10_500);
  const named = [...root.querySelectorAll<HTMLElement>("[data-id-tag]")].map(({ dataset }) => dataset.idTag);
  expect(named.includes("ada_1")).toBe(true);
  expect(named.length, "one has made room").toBe(NEAR_PEOPLE_MAX);
});

test("a person moved by the motion plane before the first render frame has a finite pose", () => {
  const motion = new FakeMotion();
  const people = new PeopleView({
    root: stubEntity(stubScene()),
    base: "https://realm.local/",
    now: () => 10_000,
    motion,
    delay: new MotionDelay(),
    onAdded: () => undefined,
  });
  people.apply({
    idTag: "ada_1",
    userClient: "ada_1_web",
    displayName: "Ada",
    color: "#ff0000",
    headModelPath: "",
    pose: { position: [1, 1.6, 0], rotation: [0, 0, 0, 1] },
    hands: {},
  });
  motion.move("head", "ada_1", 10_010, [2, 1.6, 0, 0, 0, 0, 1]);
  motion.move("head", "ada_1", 10_060, [3, 1.6, 0, 0, 0, 0, 1]);
  people.tick(10_016, new Vector3());
  const shown = new Float64Array(7);
  people.distant[0]?.head.sample(10_100, shown);
  expect([...shown].every(Number.isFinite), `${shown}`).toBe(true);
  expect(shown[0], "on its way from where it was").toBeGreaterThan(0.9);
  people.dispose();
});

test("only the nearest VRM wearers are drawn with their VRM, and a removed one frees a slot", () => {
  const { people, root } = view();
  const at = (idTag: string, x: number, headModelPath = `/store/${idTag}.vrm`): Person => ({
    ...ada,
    ...{ idTag, headModelPath, hands: {}, pose: { position: [x, 1.6, 0], rotation: [0, 0, 0, 1] } },
  });
  const drawn = new Map<string, string>();
  const models = (): string[] => {
    drawn.clear();
    for (const el of root.querySelectorAll<HTMLElement>("[data-id-tag]")) {
      const { model } = Object(settingsOf.get(el));
      if (model) drawn.set(el.dataset.idTag ?? "", model);
    }
    return [...drawn.keys()].sort();
  };
  // The first to enter are the farthest.
  for (let one = 0; one <= VRM_PEOPLE_MAX; one += 1) people.apply(at(`p${one}`, 20 - one));
  people.apply(at("elsewhere", 1, "https://elsewhere.example/a.vrm"));
  people.apply(at("plain", 2, "/store/head.glb"));
  people.apply(at("unseen", 1, "/store/not-looked-at.bin"));
  expect(models(), "first come").toEqual(["p0", "p1", "p2", "p3", "p4", "p5", "plain"]);
  people.tick(11_000, new Vector3());
  expect(models(), "the nearest").toEqual(["p1", "p2", "p3", "p4", "p5", "p6", "plain"]);
  people.tick(12_000, new Vector3());
  expect(models(), "and so it stays").toEqual(["p1", "p2", "p3", "p4", "p5", "p6", "plain"]);
  people.remove("p6");
  people.tick(13_000, new Vector3());
  expect(models(), "somebody gone makes room").toEqual(["p0", "p1", "p2", "p3", "p4", "p5", "plain"]);
});

test("speakers are marked until they are silent, also if they enter while they speak", () => {
  const { people, root } = view();
  const speaking = () =>
    [...root.querySelectorAll<HTMLElement>("[data-id-tag]")]
      .filter((el) => Object(settingsOf.get(el)).speaking === true)
      .map(({ dataset }) => dataset.idTag);
  people.apply(ada);
  people.apply({ ...ada, idTag: "bo_1" });
  people.setSpeaking(new Set(["ada_1", "cy_1"]));
  expect(speaking()).toEqual(["ada_1"]);
  people.apply({ ...ada, idTag: "cy_1" });
  expect(speaking()).toEqual(["ada_1", "cy_1"]);
  people.setSpeaking(new Set(["bo_1"]));
  expect(speaking()).toEqual(["bo_1"]);
});

test("a speaker in the crowd is drawn as an entity until some time after the last speech", () => {
  const { people, drawn, root } = view();
  const at = (idTag: string, x: number): Person => ({
    ...ada,
    ...{ idTag, hands: {}, pose: { position: [x, 1.6, 0], rotation: [0, 0, 0, 1] } },
  });
  const isNear = () => root.querySelector('[data-id-tag="speaker"]') !== null;
  for (let one = 0; one < NEAR_PEOPLE_MAX; one += 1) people.apply(at(`p${one}`, 6));
  people.apply(at("speaker", 10));
  drawn(10_500);
  expect(isNear(), "negative control").toBe(false);
  people.setSpeaking(new Set(["speaker"]));
  drawn(11_000);
  expect(isNear()).toBe(true);
  people.setSpeaking(new Set());
  drawn(11_000 + SPEAKER_NEAR_MS - 1_000);
  expect(isNear(), "a pause").toBe(true);
  drawn(11_000 + SPEAKER_NEAR_MS + 1_000);
  expect(isNear()).toBe(false);
});
