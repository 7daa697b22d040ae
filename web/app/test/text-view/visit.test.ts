import { SITTING_EYES_M } from "@stoa/aframe/meaning";
import type { Attributes, Person, SceneObject } from "@stoa/client";
import { render } from "lit";
import { beforeEach, describe, expect, it } from "vitest";
import { NEWS_PERIOD_MS } from "../../src/limits.ts";
import { defineTextView } from "../../src/text-view/index.ts";
import { newsList } from "../../src/text-view/list-sections.ts";
import type { AnnouncementKind } from "../../src/text-view/news.ts";
import { act } from "../../src/text-view/object-actions.ts";
import { type AvailableObjectAction, type TextViewObject, textObjectOf } from "../../src/text-view/objects.ts";
import { PositionTracker } from "../../src/text-view/positions.ts";
import { DisplayNameTracker } from "../../src/text-view/roster.ts";
import { StoaTextMovementButtons } from "../../src/text-view/stoa-text-you.ts";
import { Visit } from "../../src/text-view/visit.ts";
import { FakeSession, person } from "../support/fake-session.ts";
import { drawn, find, show } from "../support/page.ts";
import { holding, texts } from "../support/texts.ts";

defineTextView(customElements);

const BASE = "https://realm.test/public/lobby";
const words = texts.textView;
const RAISED = { body: "full", handRaised: true, laser: null } as const;

function object(objectId: string, attributes: Attributes): SceneObject {
  return { objectId, type: "object", attributes, persist: true };
}

let session: FakeSession;

beforeEach(() => {
  session = new FakeSession();
});

function put(objectId: string, attributes: Attributes): void {
  session.objects.set(objectId, object(objectId, attributes));
}

function come(idTag: string, displayName: string, more: Partial<Person> = {}): void {
  session.people.set(idTag, { ...person(idTag, displayName), ...more });
}

function visit(landmark = ""): Visit {
  return new Visit({
    session,
    base: BASE,
    body: "half",
    landmark,
    random: () => 0,
    onChanged: () => undefined,
  });
}

describe("a new snapshot", () => {
  /** The news after `change` happened during an absence. */
  function afterwards(change: () => void): (readonly [AnnouncementKind, string])[] {
    const told: (readonly [AnnouncementKind, string])[] = [];
    const roster = new DisplayNameTracker(session, { handle: (what, _, name) => void told.push([what, name]) }, BASE);
    roster.compare(session);
    expect(told, "nothing has changed yet").toEqual([]);
    change();
    roster.compare(session);
    const once = [...told];
    roster.compare(session);
    expect(told, "each is told once").toEqual(once);
    return once;
  }

  beforeEach(() => {
    come("bob_1", "Bob");
    come("cy_2", "Cy");
    put("lamp", { object_type: "box" });
    put("door", { object_type: "box", landmark: { label: "Garden door" } });
  });

  it("announces people and objects that came or went, and raised hands", () => {
    const told = afterwards(() => {
      session.people.delete("bob_1");
      come("dan_3", "Dan");
      come("anonymous-1_0000000004", "Dan");
      come("cy_2", "Cy", { doing: RAISED });
      session.objects.delete("door");
      put("vase", { object_type: "cylinder" });
    });
    expect(told.toSorted()).toEqual([
      ["added", "vase"],
      ["came", "Dan"],
      ["came", "Dan (guest)"],
      ["gone", "Garden door"],
      ["left", "Bob"],
      ["raised", "Cy"],
    ]);
  });

  it("announces nothing if only the order of people changed", () => {
    expect(
      afterwards(() => {
        const again = [...session.people].reverse();
        session.people.clear();
        for (const [idTag, one] of again) session.people.set(idTag, one);
      }),
    ).toEqual([]);
  });

  it("announces no object that the text view omits", () => {
    expect(afterwards(() => put("sun", { object_type: "light" }))).toEqual([]);
  });

  it("adds its announcements to the visit's log", () => {
    const visited = visit();
    session.people.delete("bob_1");
    session.tell("reset", undefined);
    visited.handleTime(0, 0.1);
    expect(visited.lines.map(({ text }) => text)).toEqual([words.news.left("Bob", 0)]);
  });
});

describe("a raised hand", () => {
  it("of the user is published and announced, and keeps the user's body", () => {
    const visited = visit();
    visited.raiseHand(true);
    expect(session.asked).toEqual([["looks", { doing: { body: "half", handRaised: true, laser: null } }]]);
    expect([visited.isHandRaised, visited.announcement]).toEqual([true, words.handUp]);
    visited.raiseHand(false);
    expect(session.asked.at(-1)).toEqual(["looks", { doing: { body: "half", handRaised: false, laser: null } }]);
  });

  it("of another person is announced once, and its lowering isn't", () => {
    come("bob_1", "Bob");
    const visited = visit();
    const tell = (handRaised: boolean) => {
      come("bob_1", "Bob", { doing: { ...RAISED, handRaised } });
      session.tell("person", { idTag: "bob_1", person: session.people.get("bob_1") ?? null });
    };
    for (const handRaised of [true, true, false]) tell(handRaised);
    visited.handleTime(0, 0.1);
    visited.handleTime(NEWS_PERIOD_MS, 0.1);
    expect(visited.lines.map(({ text }) => text)).toEqual([words.news.raised("Bob", 0)]);
  });
});

describe("a seat", () => {
  /** The object and the action that sits down on it. */
  function seat(): { bench: TextViewObject; sit: Extract<AvailableObjectAction, { kind: "sit" }> } {
    const bench = textObjectOf(object("bench", session.objects.get("bench")?.attributes ?? {}), BASE);
    const sit = bench?.actions.find((action) => action.kind === "sit");
    if (bench === undefined || sit?.kind !== "sit") throw new Error("the bench is no seat");
    return { bench, sit };
  }

  const quarter = { x: 0, y: Math.SQRT1_2, z: 0, w: Math.SQRT1_2 };

  beforeEach(() => {
    put("bench", { object_type: "box", position: { x: 4, y: 0, z: -2 }, rotation: quarter, seat: { facing: 90 } });
  });

  it("puts the visitor's eyes above it, facing its direction, as in the 3D view", () => {
    const { sit } = seat();
    const stand = new PositionTracker(session).seat("bench", sit);
    expect(stand?.position[0]).toBeCloseTo(4);
    expect(stand?.position[1]).toBeCloseTo(0.45 + SITTING_EYES_M);
    expect(stand?.position[2]).toBeCloseTo(-2);
    expect(Math.cos(stand?.yawRad ?? 0), "turned by the bench and by the seat").toBeCloseTo(-1);
  });

  it("adds sitting down and getting up to the log, without reading them out there", () => {
    const visited = visit();
    const { bench, sit } = seat();
    visited.sit(bench, sit);
    visited.getUp();
    expect(visited.lines.map(({ text }) => text)).toEqual([words.seated("bench"), words.gotUp]);
    come("bob_1", "Bob");
    session.tell("person", { idTag: "bob_1", person: session.people.get("bob_1") ?? null });
    visited.handleTime(NEWS_PERIOD_MS, 0);
    render(newsList(visited), document.body);
    const log = find(document.body, ".log", HTMLElement);
    expect([...log.querySelectorAll("p")].map((line) => line.getAttribute("aria-live"))).toEqual(["off", "off", null]);
  });

  it.each([
    ["taken away", () => void session.objects.delete("bench")],
    ["made something else", () => put("bench", { object_type: "box", position: { x: 4, y: 0, z: -2 } })],
  ])("that is %s returns the visitor to the previous position", (_, change) => {
    const visited = visit();
    const stood = visited.stand;
    const { bench, sit } = seat();
    visited.sit(bench, sit);
    session.tell("object", { objectId: "bench", object: session.objects.get("bench") ?? null, changed: [] });
    expect(visited.isSeated, "a bench that was only painted is still sat on").toBe(true);
    change();
    session.tell("object", { objectId: "bench", object: session.objects.get("bench") ?? null, changed: [] });
    expect([visited.isSeated, visited.stand]).toEqual([false, stood]);
    expect(visited.announcement).toBe(holding(words.seatGone("bench"), "bench"));
    expect(session.poses.at(-1)?.position).toEqual(stood.position);
  });

  it("that was removed during a lost connection ends the sitting", () => {
    const visited = visit();
    const { bench, sit } = seat();
    visited.sit(bench, sit);
    session.objects.delete("bench");
    session.tell("reset", undefined);
    expect(visited.isSeated).toBe(false);
  });

  it("returns the visitor to the previous position on getting up or walking on", () => {
    const visited = visit();
    const stood = visited.stand;
    const { bench, sit } = seat();
    visited.sit(bench, sit);
    expect([visited.isSeated, visited.announcement]).toEqual([true, words.seated("bench")]);
    visited.getUp();
    expect([visited.isSeated, visited.stand]).toEqual([false, stood]);
    visited.sit(bench, sit);
    visited.setOut({ kind: "place", name: "there", eyes: [0, 1.6, 0] });
    expect([visited.isSeated, visited.stand]).toEqual([false, stood]);
  });

  it("refuses a visitor while another person sits on it", () => {
    come("bob_1", "Bob", { pose: { position: [4.2, 1.2, -2], rotation: [0, 0, 0, 1] } });
    const visited = visit();
    const { bench, sit } = seat();
    visited.sit(bench, sit);
    expect([visited.isSeated, visited.announcement]).toEqual([false, words.taken("bench")]);
    come("bob_1", "Bob", { pose: { position: [6, 1.2, -2], rotation: [0, 0, 0, 1] } });
    visited.sit(bench, sit);
    expect(visited.isSeated, "he has moved on").toBe(true);
  });
});

describe("a hidden person", () => {
  it("isn't announced until shown again", () => {
    const visited = visit();
    visited.hidden.set("bob_1", true);
    come("bob_1", "Bob");
    session.tell("person", { idTag: "bob_1", person: session.people.get("bob_1") ?? null });
    visited.handleTime(0, 0.1);
    expect(visited.lines).toEqual([]);
    visited.hidden.set("bob_1", false);
    session.people.delete("bob_1");
    session.tell("person", { idTag: "bob_1", person: null });
    visited.handleTime(NEWS_PERIOD_MS, 0.1);
    expect(visited.lines.map(({ text }) => text)).toEqual([words.news.left("Bob", 0)]);
  });
});

describe("a landmark", () => {
  beforeEach(() => {
    put("door", { object_type: "box", position: { x: 9, y: 0, z: 9 }, landmark: { label: "Garden door" } });
  });

  it("is the start of a visit whose address has its label", () => {
    const visited = visit("garden door");
    expect(visited.announcement).toBe(words.arrived("Garden door"));
    expect(visited.stand.position[0]).toBeCloseTo(9, 0);
  });

  it("is the target of a portal within the same scene", async () => {
    const visited = visit();
    const action = { kind: "portal", scene: "public/lobby", landmark: "Garden door" } as const;
    const gate = textObjectOf(object("gate", { object_type: "box", portal: action }), BASE);
    if (gate === undefined) throw new Error("there is no gate");
    const left: unknown[] = [];
    const context = {
      visit: visited,
      scene: "public/lobby",
      asking: null,
      travel: (to: unknown) => void left.push(to),
    };
    await act({ object: gate, action }, context);
    expect(visited.announcement).toBe(words.arrived("Garden door"));
    expect(left).toEqual([]);
  });
});

describe("turning and stepping", () => {
  it("is announced each time", () => {
    const visited = visit();
    const said: [number, string][] = [];
    for (const act of [() => visited.turn(Math.PI / 4), () => visited.step(1), () => visited.step(1)]) {
      act();
      said.push([visited.announcements, visited.announcement]);
    }
    visited.step(-1);
    expect(said).toEqual([
      [1, words.looking(words.compass[1] ?? "")],
      [2, words.steppedAhead],
      [3, words.steppedAhead],
    ]);
    expect(visited.announcement).toBe(words.steppedBack);
  });

  it("is read out again when the same announcement repeats", async () => {
    const you = await show(new StoaTextMovementButtons(), {
      visit: visit(),
      announcement: words.steppedAhead,
      announcements: 1,
    });
    const status = find(you.shadowRoot, "[role=status]", HTMLElement);
    const before = status.firstElementChild;
    you.announcements = 2;
    await drawn(you);
    expect(status.textContent).toBe(words.steppedAhead);
    expect(status.firstElementChild === before, "a reader hears of what is new").toBe(false);
  });
});

it("a visit starts at the landmark in its address, and removes its listeners at its end", () => {
  put("door", { object_type: "box", position: { x: 9, y: 0, z: 9 }, landmark: { label: "Garden door" } });
  const visited = visit("door");
  expect(visited.announcement).toBe(words.arrived("Garden door"));
  expect(visited.stand.position[0]).toBeCloseTo(9, 0);
  visited.end();
  expect(session.listeners).toBe(0);
});
