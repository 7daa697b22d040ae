/** What may go wrong, each its own class, so that callers can tell them apart. */

/** The realm refused an action. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  /** A reason of `spec/topics.md` section 2, or a reason code in words. */
  readonly reason: string;
  /** How much would have been taken, in words, where that is why: `8192 bytes of a chat`. */
  readonly limit: string | undefined;
  /** What kind of refusal it is, where whoever shows it has words of its own. */
  readonly hindrance: Hindrance | undefined;

  /** `words` are a reason, or a reason string of the realm's: `<reason>: at most <limit>`. */
  constructor(words: string, hindrance?: Hindrance) {
    super(`the realm refused it: ${words}`);
    this.hindrance = hindrance;
    const [reason, limit] = words.split(": at most ", 2);
    this.reason = reason ?? words;
    this.limit = limit;
  }
}

/** The connection ended before the realm answered. */
export class LostError extends Error {
  override readonly name = "LostError";
  constructor(reason: string) {
    super(`the connection was lost: ${reason}`);
  }
}

/** The connection was closed by whoever opened it. */
export class ClosedError extends Error {
  override readonly name = "ClosedError";
  constructor() {
    super("the scene was left");
  }
}

/** Stands for the HTTP status where there was no answer. */
export const UNANSWERED = 0;

/** The title of an {@link ApiError} where there was no answer; people read it. */
export const UNREACHED = "the realm can't be reached";

/** What an answer says besides. */
interface More {
  readonly reason?: string;
  readonly retryAfterS?: number;
  readonly scene?: string;
}

/** An HTTP request was answered by a problem document (RFC 9457), or by something that is no answer at all. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The HTTP status, or {@link UNANSWERED}. */
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** The kind of refusal, by `spec/topics.md` section 3.1; empty where there is none. */
  readonly reason: string;
  /** In how many seconds the same may be asked again, where the realm says so. */
  readonly retryAfterS: number | undefined;
  /** Of `renamed`: how the scene is called now. */
  readonly scene: string | undefined;

  constructor(status: number, title: string, detail: string, more: More = {}) {
    super(detail === "" ? title : `${title}: ${detail}`);
    this.reason = more.reason ?? "";
    this.scene = more.scene;
    this.retryAfterS = more.retryAfterS;
    this.status = status;
    this.title = title;
    this.detail = detail;
  }

  /** Whether the same request may be answered otherwise later. */
  get isTransient(): boolean {
    return (
      this.status === UNANSWERED ||
      this.status >= 500 ||
      this.status === 408 ||
      this.status === 425 ||
      this.status === 429
    );
  }
}

/** What keeps somebody out, or away. */
export interface Hindrance {
  /** A reason of the realm's (`locked`, `full`, `put_out`, `renamed`, …), `not_found`, `not_allowed`, `away` or `restarting`. */
  readonly code: string;
  /** In how many seconds the same may be asked again, where the realm says so. */
  readonly retryAfterS?: number;
  /** Of `renamed`: how the scene is called now. */
  readonly scene?: string;
}

/** What kind of hindrance an error is. */
export function hindranceOf(error: unknown): Hindrance | undefined {
  if (error instanceof RefusedError) return error.hindrance;
  if (!(error instanceof ApiError)) return undefined;
  const { reason, status, retryAfterS, scene } = error;
  const later = retryAfterS === undefined ? {} : { retryAfterS };
  if (reason !== "") return { code: reason, ...later, ...(scene === undefined ? {} : { scene }) };
  if (status === UNANSWERED) return { code: "away" };
  if (status === 502 || status === 503) return { code: "restarting" };
  if (status === 404) return { code: "not_found" };
  return status === 401 || status === 403 ? { code: "not_allowed" } : undefined;
}

/** What an error says, for people to read. */
export function wordsOf(error: unknown): string {
  if (error instanceof ApiError && error.detail !== "") return error.detail;
  return error instanceof Error ? error.message : String(error);
}
