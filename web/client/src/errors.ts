/** What may go wrong, each its own class, so that callers can tell them apart. */

/** The realm refused an action. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  /** A reason of `spec/topics.md` section 2, or a reason code in words. */
  readonly reason: string;
  /** How much would have been taken, in words, where that is why: `8192 bytes of a chat`. */
  readonly limit: string | undefined;

  /** `words` are a reason, or a reason string of the realm's: `<reason>: at most <limit>`. */
  constructor(words: string) {
    super(`the realm refused it: ${words}`);
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

/** An HTTP request was answered by a problem document (RFC 9457), or by something that is no answer at all. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The HTTP status, or {@link UNANSWERED}. */
  readonly status: number;
  readonly title: string;
  readonly detail: string;

  constructor(status: number, title: string, detail: string) {
    super(detail === "" ? title : `${title}: ${detail}`);
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

/** What an error says, for people to read. */
export function wordsOf(error: unknown): string {
  if (error instanceof ApiError && error.detail !== "") return error.detail;
  return error instanceof Error ? error.message : String(error);
}
