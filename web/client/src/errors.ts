/** The client's errors, one class for each kind. */

/** The realm refused an action. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  /** A reason of `spec/topics.md` section 2, or a reason code in words. */
  readonly reason: string;
  /** The exceeded limit, such as `8192 bytes of a chat`. */
  readonly limit: string | undefined;
  /** The kind of refusal, for pages with their own texts. */
  readonly hindrance: Hindrance | undefined;

  /** `words` is a reason or the realm's reason string: `<reason>: at most <limit>`. */
  constructor(words: string, hindrance?: Hindrance) {
    super(`the server refused it: ${words}`);
    this.hindrance = hindrance;
    const [reason, limit] = words.split(": at most ", 2);
    this.reason = reason ?? words;
    this.limit = limit;
  }
}

/** There is no connection, or it ended before the realm answered. */
export class LostError extends Error {
  override readonly name = "LostError";
  constructor(reason: string) {
    super(`the connection was lost: ${reason}`);
  }
}

/** The caller left the scene or aborted entering it. */
export class ClosedError extends Error {
  override readonly name = "ClosedError";
  constructor() {
    super("the scene was left");
  }
}

/** The status of a request without a response. */
export const UNANSWERED = 0;

/** The title of an {@link ApiError} without a response, a text for people. */
export const UNREACHED = "the server can't be reached";

/** Optional fields of an {@link ApiError}. */
interface ApiErrorFields {
  readonly reason?: string;
  readonly retryAfterS?: number;
  readonly scene?: string;
}

/** An HTTP request failed: a problem document (RFC 9457), an invalid response, or none. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The HTTP status, or {@link UNANSWERED}. */
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** The kind of refusal, by `spec/topics.md` section 3.1; may be empty. */
  readonly reason: string;
  /** Seconds until a retry, if the realm names them. */
  readonly retryAfterS: number | undefined;
  /** For `renamed`: the scene's new name. */
  readonly scene: string | undefined;

  constructor(status: number, title: string, detail: string, more: ApiErrorFields = {}) {
    super(detail === "" ? title : `${title}: ${detail}`);
    this.reason = more.reason ?? "";
    this.scene = more.scene;
    this.retryAfterS = more.retryAfterS;
    this.status = status;
    this.title = title;
    this.detail = detail;
  }

  /** Whether a retry of the request may succeed. */
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

/** A reason that keeps a person out of a scene. */
export interface Hindrance {
  /** `not_found`, `not_allowed`, `away`, `restarting`, or the realm's reason, such as `locked`, `full`, `put_out`. */
  readonly code: string;
  /** Seconds until a retry, if the realm names them. */
  readonly retryAfterS?: number;
  /** For `renamed`: the scene's new name. */
  readonly scene?: string;
}

/** Why an error keeps a person out of a scene; `undefined` for other errors. */
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

/** The text of an error for people. */
export function wordsOf(error: unknown): string {
  if (error instanceof ApiError && error.detail !== "") return error.detail;
  return error instanceof Error ? error.message : String(error);
}
