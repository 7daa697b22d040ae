import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseEnvelope } from "../src/envelope.ts";
import { decodeClaims, publishRefusal } from "../src/grant.ts";
import { isJsonObject, type JsonObject, textOr } from "../src/json-values.ts";
import { type FrameEntry, parseFrame, type VisibilityChange } from "../src/motion/frame.ts";
import { packPosition, packRotation, unpackRotation } from "../src/motion/pose.ts";
import { SceneReplica } from "../src/replica.ts";
import { decodeSnapshot } from "../src/snapshot.ts";
import { parseSceneTopic } from "../src/topic.ts";
import { matchesFilter } from "../src/topic-filter.ts";
import { coversFilter, parseFilter, subscribeRefusal } from "./support/filters.ts";

/** Runs every case of a file, prints the count, and fails without any. */
function vectors(file: string, run: (test: JsonObject) => void): void {
  const json: unknown = JSON.parse(readFileSync(new URL(`../../../spec/vectors/${file}`, import.meta.url), "utf8"));
  const cases = isJsonObject(json) && Array.isArray(json.cases) ? json.cases.filter(isJsonObject) : [];
  const skips =
    isJsonObject(json) && isJsonObject(json.skips) && isJsonObject(json.skips.typescript) ? json.skips.typescript : {};
  const runnable = cases.filter((test) => !Object.hasOwn(skips, textOr(test.name, "")));
  describe(`vectors of ${file}`, () => {
    it("the file has cases to run, and each skip has a reason", () => {
      expect(runnable.length).toBeGreaterThan(0);
      for (const reason of Object.values(skips)) expect(reason).not.toBe("");
      process.stdout.write(`vectors ${file}: ${runnable.length} run, ${cases.length - runnable.length} skipped\n`);
    });
    it.each(runnable.map((test) => [textOr(test.name, "?"), test] as const))("%s", (_, test) => run(test));
  });
}

function repeated(value: unknown): string | undefined {
  if (!isJsonObject(value)) return undefined;
  return textOr(value.prefix, "") + textOr(value.unit, "").repeat(Number(value.times)) + textOr(value.suffix, "");
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, "hex"));
}

function payloadOf(test: JsonObject): Uint8Array {
  const hex = test.payload_hex;
  if (typeof hex === "string") return bytesOf(hex);
  return new TextEncoder().encode(repeated(test.payload_repeat) ?? textOr(test.payload, ""));
}

vectors("envelopes.json", (test) => {
  const topic = parseSceneTopic(textOr(test.topic, ""));
  const parsed = topic.ok ? parseEnvelope(topic.value.kind, topic.value.uuid, payloadOf(test)) : topic;
  if (test.error !== undefined) {
    expect(parsed).toEqual({ ok: false, reason: test.error });
    return;
  }
  if (!parsed.ok) expect.fail(parsed.reason);
  const { objectId, action, type, persist, ttlS, overwrite, private: isPrivate, attributes } = parsed.value;
  expect({ object_id: objectId, action, type, persist, ttl: ttlS, overwrite, private: isPrivate, attributes }).toEqual(
    test.envelope,
  );
});

vectors("topic-filters.json", (test) => {
  const filter = repeated(test.filter_repeat) ?? textOr(test.filter, "");
  const parsed = parseFilter(filter);
  if (test.error !== undefined) expect(parsed).toEqual({ ok: false, reason: test.error });
  else if (test.covers !== undefined) expect(coversFilter(filter, textOr(test.covers, ""))).toBe(test.is_covered);
  else expect(matchesFilter(filter, textOr(test.topic, ""))).toBe(test.matches);
});

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

vectors("grants.json", (test) => {
  if (isJsonObject(test.claims) && test.given === undefined) {
    const context = {
      claims: decodeClaims(test.claims),
      clientId: textOr(test.client_id, ""),
      now: Number(test.now),
    };
    const reason =
      typeof test.publish === "string"
        ? publishRefusal(context, test.publish)
        : subscribeRefusal(context, texts(test.claims.subs), textOr(test.subscribe, ""));
    expect(reason).toBe(test.error);
    expect(reason === undefined).toBe(test.allowed);
    return;
  }
  const holder = isJsonObject(test.claims) ? test.claims : test;
  for (const filters of [texts(holder.publ), texts(holder.subs)]) {
    expect(filters.length).toBeGreaterThan(0);
    for (const filter of filters) {
      expect(parseFilter(filter).ok).toBe(true);
      const others = filters.filter((other) => other !== filter);
      expect(
        others.filter((other) => coversFilter(other, filter)),
        `${filter} is covered`,
      ).toEqual([]);
    }
  }
});

/** A time beyond all waits of a replica. */
const LATER_MS = 1_000_000;

function follow(replica: SceneReplica, step: JsonObject): void {
  if (step.subscribe === true) replica.handleConnected("nobody");
  if (step.ask === true) replica.handleSnapshotRequested(0);
  const snapshot = decodeSnapshot(step.answer);
  if (snapshot !== undefined) replica.handleSnapshot(snapshot, 0);
  if (!isJsonObject(step.deliver)) return;
  const { topic, payload, epoch, revision } = step.deliver;
  const place = revision === undefined ? {} : { place: { epoch: Number(epoch), revision: Number(revision) } };
  const bytes = new TextEncoder().encode(JSON.stringify(payload));
  replica.handleMessage({ topic: textOr(topic, ""), payload: bytes, ...place }, 0);
}

vectors("stream.json", ({ steps, objects, people, wants_snapshot }) => {
  const replica = new SceneReplica("public/lobby");
  for (const step of Array.isArray(steps) ? steps.filter(isJsonObject) : []) follow(replica, step);
  expect(replica.wantsSnapshot(LATER_MS)).toBe(wants_snapshot);
  if (objects === undefined) return;
  const attributes = [...replica.objects].map(([objectId, object]) => [objectId, object.attributes]);
  expect(Object.fromEntries(attributes)).toEqual(objects);
  const names = [...replica.people].map(([idTag, person]) => [idTag, person.displayName]);
  expect(Object.fromEntries(names)).toEqual(people);
});

/** Converts to the vectors' form: snake-case keys, bytes as hex. */
function spelled(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return value.map(spelled);
  if (!isJsonObject(value)) return value;
  const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [snake(key), spelled(part)]));
}

function described(entry: FrameEntry): unknown {
  switch (entry.kind) {
    case "ack":
      return { said: entry.kind, ...entry.ack };
    case "quality":
      return { said: entry.kind, ...entry.quality };
    case "pose":
      return { said: entry.kind, ...entry.update, rotation: entry.update.rotation ?? null };
    case "baseline":
      return { said: entry.kind, ...entry.baseline };
    case "changes":
      return { said: entry.kind, first: entry.first, changes: entry.changes.map(describedChange) };
    case "refused":
      return { said: entry.kind, ...entry.refused };
    case "own":
      return { said: entry.kind, ...entry.own };
    case "declare":
    case "flow":
      return { said: entry.kind, ...entry.declared };
    case "unit":
      return { said: entry.kind, ...entry.unit };
    case "ask":
    case "withdraw":
    case "reached":
    case "mark":
    case "hears":
    case "uplink":
    case "arrivals": {
      const { kind, ...fields } = entry;
      return { said: kind, ...fields };
    }
  }
}

function describedChange(change: VisibilityChange): unknown {
  if ("left" in change) return change;
  const { id, ...rest } = change;
  return { entered: id, ...rest };
}

function numbers(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((item): item is number => typeof item === "number") : [];
}

function checkPose(pose: JsonObject, wanted: unknown): void {
  const [x = 0, y = 0, z = 0] = numbers(pose.position);
  const [i = 0, j = 0, k = 0, w = 0] = numbers(pose.rotation);
  const packed = { position: packPosition([x, y, z]), rotation: packRotation([i, j, k, w]) };
  if (wanted === undefined) expect(packed.position === undefined || packed.rotation === undefined).toBe(true);
  else expect(spelled(packed)).toEqual(wanted);
}

vectors("frames.json", (test) => {
  if (isJsonObject(test.pose)) {
    checkPose(test.pose, test.packed);
    expect(test.packed === undefined).toBe(test.error === "cannot be said");
  } else if (test.unpacked !== undefined) {
    const unpacked = unpackRotation(bytesOf(textOr(test.rotation, "")));
    expect(numbers(test.unpacked).length).toBe(unpacked.length);
    for (const [which, part] of numbers(test.unpacked).entries()) expect(unpacked[which]).toBeCloseTo(part, 12);
  } else {
    const frame = parseFrame(bytesOf(textOr(test.hex, "")));
    if (test.error === "dropped") expect(frame).toBeUndefined();
    else if (frame === undefined) expect(frame).toEqual(test.frame);
    else {
      const { entries, ...head } = frame;
      expect(spelled({ ...head, said: entries.map(described) })).toEqual(test.frame);
    }
  }
});
