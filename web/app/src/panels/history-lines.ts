/** Formats a scene's history for people: grouped by person and minute, each change in a few words. */
import type { Attributes, HistoryEntry } from "@stoa/client";
import { isBag } from "../editor/objects/object-fields.ts";
import { texts } from "../texts/texts.ts";

/** One person's changes in one minute. */
export interface HistoryGroup {
  readonly author: string;
  readonly name: string;
  /** Time of the newest change, in Unix milliseconds. */
  readonly atMs: number;
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
}

const MINUTE_MS = 60_000;
/** Display names of the authors by which the realm itself changes scenes. */
const OF_THE_REALM: ReadonlyMap<string, string> = new Map([
  ["stoa", texts.history.realm],
  ["stoa-first-scenes", texts.history.firstScenes],
]);

/** Groups successive entries by author and minute. The entries and the groups are in order, newest first. */
export function groupsOf(entries: readonly HistoryEntry[]): readonly HistoryGroup[] {
  const groups: { author: string; name: string; atMs: number; entries: HistoryEntry[] }[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    const minute = Math.floor(entry.atMs / MINUTE_MS);
    if (last?.author === entry.author && Math.floor(last.atMs / MINUTE_MS) === minute) last.entries.push(entry);
    else groups.push({ author: entry.author, name: nameOf(entry), atMs: entry.atMs, entries: [entry] });
  }
  return groups;
}

/** The display name of an entry's author. */
export function nameOf({ author, authorName, guest }: HistoryEntry): string {
  if (guest) return texts.history.guest(authorName);
  return OF_THE_REALM.get(author) ?? authorName;
}

export function wordsFor(entry: HistoryEntry): string {
  const { objectId, action, before, after, objects = 0 } = entry;
  if (action === "delete") return texts.history.deleted(objectId, Math.max(0, objects - 1));
  if (action === "create" && objects === 0) return texts.history.made(objectId);
  const keys = after === null ? [] : [...new Set([...Object.keys(after), ...Object.keys(before ?? {})])];
  const changed = keys.filter((key) => JSON.stringify(before?.[key]) !== JSON.stringify(after?.[key]));
  return texts.history.changed(objectId, changed, shownChange(before, after));
}

/** The old and new value of a change with one short value: a colour, text, number or flag. */
function shownChange(before: Attributes | null, after: Attributes | null): readonly [string, string] | undefined {
  const [from, to] = [before, after].map((attributes) => only(attributes));
  return from === undefined || to === undefined ? undefined : [from, to];
}

/** Longest value that is shown, in characters: a longer one doesn't fit a list. */
const SHOWN_MAX = 40;

function only(attributes: unknown): string | undefined {
  if (isBag(attributes)) {
    const [value, ...more] = Object.values(attributes);
    return more.length === 0 ? only(value) : undefined;
  }
  if (typeof attributes !== "string" && typeof attributes !== "number" && typeof attributes !== "boolean")
    return undefined;
  const text = String(attributes);
  return text.length > SHOWN_MAX ? undefined : text;
}
