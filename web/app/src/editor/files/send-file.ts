/** Sends a file to the realm, and tells how far it is: `fetch` doesn't. */
import { texts } from "../../texts/texts.ts";

/** Where a file is sent, and who is told. */
export interface Sending {
  /** Below `users/<own name>/`. */
  readonly path: string;
  /** 0 to 1. */
  readonly told: (done: number) => void;
  readonly signal: AbortSignal;
}

/** The address that the file can be read by. Fails with the realm's own words. */
export function sendFile(content: Blob, { path, told, signal }: Sending): Promise<string> {
  return new Promise((resolve, reject) => {
    // One that has ended already tells nobody again.
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    signal.addEventListener("abort", stop, { once: true });
    request.open("PUT", `/api/v1/store/${path.split("/").map(encodeURIComponent).join("/")}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => told(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      signal.removeEventListener("abort", stop);
      const url = fieldOf(request.responseText, "url");
      if (request.status === 201 && url !== undefined) resolve(url);
      else reject(new Error(fieldOf(request.responseText, "detail") ?? texts.reasons.answered(request.status)));
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
