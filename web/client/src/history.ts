/** Types of a scene's history and of restores, with their requests and responses: `spec/history.md`. */
import { ApiError } from "./errors.ts";
import { type Attributes, isJsonObject, type JsonObject, numberOr, textOr } from "./json-values.ts";

/** Filter of history entries. */
export interface HistoryQuery {
  /** Only entries older than this revision: {@link History.next} of the previous page. */
  readonly before?: number;
  readonly objectId?: string;
  /** {@link HistoryEntry.author} */
  readonly author?: string;
  readonly limit?: number;
}

/** One change, or several updates of one object by one author that the realm merged. */
export interface HistoryEntry {
  readonly revision: number;
  /** Unix milliseconds. */
  readonly atMs: number;
  /** An account, one visit of a guest, or `stoa` for the realm; the value for {@link RestoreRequest.author}. */
  readonly author: string;
  readonly authorName: string;
  readonly guest: boolean;
  readonly objectId: string;
  readonly action: "create" | "update" | "overwrite" | "delete";
  /** Number of merged changes. */
  readonly changes: number;
  /** Number of objects that the change replaced or removed as a whole. */
  readonly objects: number | undefined;
  /** Old values of the changed attributes; `null` if there was no object or they are too long. */
  readonly before: Attributes | null;
  /** New values of the changed attributes; `null` if the object was removed or they are too long. */
  readonly after: Attributes | null;
}

/** A page of a scene's history. */
export interface History {
  /**
   * Retention, in days and in bytes of all scenes together. Above the bytes, the oldest entries of the author with the
   * most in the scene with the most are deleted first.
   */
  readonly keptDays: number;
  readonly keptBytes: number;
  /** Time of this scene's oldest entry in Unix milliseconds. */
  readonly oldestMs: number | undefined;
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  /** {@link HistoryQuery.before} of the next page, if there is one. */
  readonly next: number | undefined;
  /** The earliest revision that can be restored. */
  readonly reaches: number | undefined;
}

/** A restore of a scene to an earlier state. */
export interface RestoreRequest {
  readonly to: { readonly revision: number } | { readonly timeMs: number };
  /** Restores only this object, with those of its ancestors and descendants that no longer exist. */
  readonly objectId?: string;
  /** Reverts only this author's later changes, except those that another author changed again. */
  readonly author?: string;
  /** Counts the objects without changing them. */
  readonly dryRun?: boolean;
}

/** Numbers of objects that a restore affects. */
export interface Restored {
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  /** Objects that keep some change of the author, for example because another author changed them since. */
  readonly left: number;
}

/** The URL path of a history request, with its query. */
export function historyPath(scene: string, { before, objectId, author, limit }: HistoryQuery): string {
  const asked = { before, object_id: objectId, author, limit };
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(asked)) if (value !== undefined) query.set(key, String(value));
  const text = query.toString();
  return `scenes/${scene}/history${text === "" ? "" : `?${text}`}`;
}

/** The JSON body of a restore request. */
export function restoreBody({ to, objectId, author, dryRun = false }: RestoreRequest): JsonObject {
  return {
    ...("revision" in to ? { revision: to.revision } : { time: new Date(to.timeMs).toISOString() }),
    ...(objectId === undefined ? {} : { object_id: objectId }),
    ...(author === undefined ? {} : { author }),
    dry_run: dryRun,
  };
}

/** Decodes the response to a history request. */
export function historyOf(answer: unknown): History {
  const { retention, entries, next, reaches } = fieldsOf(answer);
  const kept: JsonObject = isJsonObject(retention) ? retention : {};
  return {
    keptDays: numberOr(kept.days, 0),
    keptBytes: numberOr(kept.bytes, 0),
    oldestMs: timeOf(kept.oldest),
    entries: Array.isArray(entries) ? entries.filter(isJsonObject).map(entryOf) : [],
    next: typeof next === "number" ? next : undefined,
    reaches: typeof reaches === "number" ? reaches : undefined,
  };
}

/** Decodes the response to a restore request. */
export function restoredOf(answer: unknown): Restored {
  const { created, changed, removed, left } = fieldsOf(answer);
  const [c, h, r, l] = [created, changed, removed, left].map((count) => numberOr(count, 0));
  return { created: c ?? 0, changed: h ?? 0, removed: r ?? 0, left: l ?? 0 };
}

function entryOf(fields: JsonObject): HistoryEntry {
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
    before: isJsonObject(fields.before) ? fields.before : null,
    after: isJsonObject(fields.after) ? fields.after : null,
  };
}

function actionOf(action: unknown): HistoryEntry["action"] {
  return action === "create" || action === "overwrite" || action === "delete" ? action : "update";
}

function timeOf(text: unknown): number | undefined {
  const ms = typeof text === "string" ? Date.parse(text) : Number.NaN;
  return Number.isFinite(ms) ? ms : undefined;
}

function fieldsOf(answer: unknown): JsonObject {
  if (isJsonObject(answer)) return answer;
  throw new ApiError(502, "the response is not a JSON object", "");
}
