/** A scene's history as the realm tells it: `spec/history.md`. */
import { ApiError } from "./errors.ts";
import { type Attributes, isPlain, numberOr, type Plain, textOr } from "./plain.ts";

/** Which changes are wanted, newest first. */
export interface HistoryQuery {
  /** Older than this revision: {@link History.next} of the piece before. */
  readonly before?: number;
  readonly objectId?: string;
  /** {@link HistoryEntry.author} */
  readonly author?: string;
  readonly limit?: number;
}

/** One change, or updates of one object by one author that were stored together. */
export interface HistoryEntry {
  readonly revision: number;
  /** Unix milliseconds. */
  readonly atMs: number;
  /** Whom a restore names: an account, or one visit of a guest. */
  readonly author: string;
  readonly authorName: string;
  readonly guest: boolean;
  readonly objectId: string;
  readonly action: "create" | "update" | "overwrite" | "delete";
  /** How many changes it holds. */
  readonly changes: number;
  /** How many objects it replaced or took along, where it did so whole. */
  readonly objects: number | undefined;
  /** The attributes that were other before; `null` where there was no object, or they are too long. */
  readonly before: Attributes | null;
  /** What they became; `null` where the object went, or they are too long. */
  readonly after: Attributes | null;
}

/** A piece of a scene's history. */
export interface History {
  /** How long it is kept, of all scenes together; the oldest goes first. */
  readonly keptDays: number;
  readonly keptBytes: number;
  /** When this scene's oldest entry is from, in Unix milliseconds. */
  readonly oldestMs: number | undefined;
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** What {@link HistoryQuery.before} takes for those that follow. */
  readonly next: number | undefined;
  /** The earliest revision that can be restored. */
  readonly reaches: number | undefined;
}

/** Where to, and what of it. */
export interface RestoreRequest {
  readonly to: { readonly revision: number } | { readonly timeMs: number };
  /** This object alone. */
  readonly objectId?: string;
  /** Only what this author did since, and nobody else has changed after. */
  readonly author?: string;
  /** Only say what would happen. */
  readonly dryRun?: boolean;
}

/** How many objects it concerns. */
export interface Restored {
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  /** Something of these stays, because others have changed it since. */
  readonly left: number;
}

/** The query part of the address. */
export function historyPath(scene: string, { before, objectId, author, limit }: HistoryQuery): string {
  const asked = { before, object_id: objectId, author, limit };
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(asked)) if (value !== undefined) query.set(key, String(value));
  const text = query.toString();
  return `scenes/${scene}/history${text === "" ? "" : `?${text}`}`;
}

/** The body of the request. */
export function restoreBody({ to, objectId, author, dryRun = false }: RestoreRequest): Plain {
  return {
    ...("revision" in to ? { revision: to.revision } : { time: new Date(to.timeMs).toISOString() }),
    ...(objectId === undefined ? {} : { object_id: objectId }),
    ...(author === undefined ? {} : { author }),
    dry_run: dryRun,
  };
}

/** Reads the realm's answer. */
export function historyOf(answer: unknown): History {
  const { retention, entries, next, reaches } = fieldsOf(answer);
  const kept: Plain = isPlain(retention) ? retention : {};
  return {
    keptDays: numberOr(kept.days, 0),
    keptBytes: numberOr(kept.bytes, 0),
    oldestMs: timeOf(kept.oldest),
    entries: Array.isArray(entries) ? entries.filter(isPlain).map(entryOf) : [],
    next: typeof next === "number" ? next : undefined,
    reaches: typeof reaches === "number" ? reaches : undefined,
  };
}

/** Reads the realm's answer. */
export function restoredOf(answer: unknown): Restored {
  const { created, changed, removed, left } = fieldsOf(answer);
  const [c, h, r, l] = [created, changed, removed, left].map((count) => numberOr(count, 0));
  return { created: c ?? 0, changed: h ?? 0, removed: r ?? 0, left: l ?? 0 };
}

function entryOf(fields: Plain): HistoryEntry {
  const author = textOr(fields.author, "");
  return {
    revision: numberOr(fields.revision, 0),
    atMs: timeOf(fields.at) ?? 0,
    author,
    authorName: textOr(fields.author_name, author),
    guest: fields.guest === true,
    objectId: textOr(fields.object_id, ""),
    action: actionOf(fields.action),
    changes: numberOr(fields.changes, 1),
    objects: typeof fields.objects === "number" ? fields.objects : undefined,
    before: isPlain(fields.before) ? fields.before : null,
    after: isPlain(fields.after) ? fields.after : null,
  };
}

function actionOf(action: unknown): HistoryEntry["action"] {
  return action === "create" || action === "overwrite" || action === "delete" ? action : "update";
}

function timeOf(text: unknown): number | undefined {
  const ms = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isFinite(ms) ? ms : undefined;
}

function fieldsOf(answer: unknown): Plain {
  if (isPlain(answer)) return answer;
  throw new ApiError(502, "the answer is no object", "");
}
