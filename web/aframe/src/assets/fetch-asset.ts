/** Fetches a file within a byte limit, and fails after a silence. Errors are codes of `asset-error.ts`. */
import { ASSET_SILENCE_MS } from "../limits.ts";
import { AssetError, type AssetErrorCode, TooLargeError } from "./asset-error.ts";

/** A byte limit shared by a file and its dependencies, including parallel downloads. */
export class ByteBudget {
  readonly #bytesMax: number;
  #taken = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Checks that `bytes` more fit into the limit, without counting them. Errors: {@link TooLargeError}. */
  check(bytes: number): void {
    const found = this.#taken + bytes;
    if (found > this.#bytesMax) throw new TooLargeError("bytes", found, this.#bytesMax);
  }

  /** Counts received bytes. Errors: {@link TooLargeError}. */
  take(bytes: number): void {
    this.check(bytes);
    this.#taken += bytes;
  }
}

export interface FetchOptions {
  readonly budget: ByteBudget;
  readonly signal: AbortSignal;
}

/** Fetches the file's bytes. Errors: {@link AssetError}; an `AbortError` if `signal` aborts. */
export async function fetchAsset(url: string, { budget, signal }: FetchOptions): Promise<Uint8Array<ArrayBuffer>> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), ASSET_SILENCE_MS);
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), ASSET_SILENCE_MS);
  };
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, silence.signal]) });
    refuse(response, budget);
    return await readAll(response, budget, heard);
  } catch (error) {
    if (signal.aborted || error instanceof AssetError) throw error;
    throw new AssetError("unreachable", url);
  } finally {
    clearTimeout(timer);
  }
}

/** The reason why a file that the browser fetched itself failed, found by a HEAD request. */
export async function whyUnread(url: string): Promise<AssetErrorCode> {
  try {
    return codeOfAnswer(await fetch(url, { method: "HEAD" })) ?? "unreadable";
  } catch {
    return "unreachable";
  }
}

/** The error code of a response; `undefined` for a successful one. */
function codeOfAnswer({ ok, status }: Response): AssetErrorCode | undefined {
  if (status === 401 || status === 403) return "not-allowed";
  if (status === 404 || status === 410) return "missing";
  return ok ? undefined : "unreachable";
}

function refuse(response: Response, budget: ByteBudget): void {
  const { headers, status, url } = response;
  const code = codeOfAnswer(response);
  if (code !== undefined) throw new AssetError(code, `${status} for ${url}`);
  budget.check(Number(headers.get("content-length") ?? 0));
}

/** Counts the received bytes, because Content-Length may be wrong. */
async function readAll(response: Response, budget: ByteBudget, heard: () => void): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.body) return new Uint8Array();
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    heard();
    length += next.value.length;
    try {
      budget.take(next.value.length);
    } catch (error) {
      void reader.cancel();
      throw error;
    }
    parts.push(next.value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
