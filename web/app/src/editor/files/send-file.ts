/** Uploads a file to the realm with `XMLHttpRequest`, since `fetch` reports no upload progress. */
import { sentence } from "../../texts/error-texts.ts";
import { texts } from "../../texts/texts.ts";

export interface UploadRequest {
  /** Path in the file store, inside `users/<own name>/`. */
  readonly path: string;
  /** Called with the sent fraction, 0 to 1. */
  readonly onProgress: (done: number) => void;
  readonly signal: AbortSignal;
}

/** Returns the address that the file can be read by. Rejects with a sentence for the user. */
export function sendFile(content: Blob, { path, onProgress, signal }: UploadRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    // A signal that was aborted earlier fires no further event.
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    signal.addEventListener("abort", stop, { once: true });
    request.open("PUT", `/api/v1/store/${path.split("/").map(encodeURIComponent).join("/")}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      signal.removeEventListener("abort", stop);
      const url = fieldOf(request.responseText, "url");
      if (request.status === 201 && url !== undefined) resolve(url);
      else
        reject(new Error(sentence(fieldOf(request.responseText, "detail") ?? texts.reasons.answered(request.status))));
    };
    request.onerror = () => reject(new Error(texts.reasons.away));
    request.onabort = () => reject(new Error(texts.reasons.stopped));
    request.send(content);
  });
}

function fieldOf(text: string, key: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    const value = typeof answer === "object" && answer !== null ? new Map(Object.entries(answer)).get(key) : undefined;
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
