/** A file from the realm or elsewhere, within a size. */
import { ASSET_SILENCE_MS } from "../limits.ts";
import { AssetError, TooLargeError } from "./asset-error.ts";

/** How a file is fetched. */
export interface FetchOptions {
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/** Its bytes. Errors: {@link AssetError}; an `AbortError` where `signal` says so. */
export async function fetchAsset(url: string, { bytesMax, signal }: FetchOptions): Promise<Uint8Array<ArrayBuffer>> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), ASSET_SILENCE_MS);
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), ASSET_SILENCE_MS);
  };
  try {
    const response = await fetch(url, { signal: AbortSignal.any([signal, silence.signal]) });
    refuse(response, bytesMax);
    return await readAll(response, bytesMax, heard);
  } catch (error) {
    if (signal.aborted || error instanceof AssetError) throw error;
    throw new AssetError("unreachable", url);
  } finally {
    clearTimeout(timer);
  }
}

function refuse({ ok, status, headers, url }: Response, bytesMax: number): void {
  if (status === 401 || status === 403) throw new AssetError("not-allowed", url);
  if (status === 404 || status === 410) throw new AssetError("missing", url);
  if (!ok) throw new AssetError("unreachable", `${status} for ${url}`);
  const length = Number(headers.get("content-length") ?? 0);
  if (length > bytesMax) throw new TooLargeError("bytes", length, bytesMax);
}

/** What a server says of the length may be wrong, so what comes is counted. */
async function readAll(response: Response, bytesMax: number, heard: () => void): Promise<Uint8Array<ArrayBuffer>> {
  if (!response.body) return new Uint8Array();
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    heard();
    length += next.value.length;
    if (length > bytesMax) {
      void reader.cancel();
      throw new TooLargeError("bytes", length, bytesMax);
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
