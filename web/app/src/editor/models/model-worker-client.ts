/** The page's side of the model worker. */
import { texts } from "../../texts/texts.ts";
import { OPTIMISE_MS } from "../limits.ts";
import type { ModelWorkerReport, ModelWorkerRequest } from "./worker-messages.ts";

/**
 * Starts a worker that checks and optimises a model, and passes its reports on in order. On `signal` or after a time
 * limit it reports a failure and ends.
 */
export async function workOnModel(
  order: ModelWorkerRequest,
  onReport: (report: ModelWorkerReport) => void,
  signal: AbortSignal,
): Promise<void> {
  let late: ReturnType<typeof setTimeout> | undefined;
  const worker = new Worker(new URL("./model-worker.ts", import.meta.url), { type: "module" });
  try {
    await new Promise<void>((resolve) => {
      const fail = (words: string) => {
        onReport({ kind: "failed", words });
        resolve();
      };
      late = setTimeout(() => fail(texts.reasons.tookTooLong), OPTIMISE_MS);
      signal.addEventListener("abort", () => fail(texts.reasons.stopped), { once: true });
      worker.onerror = (event) => fail(event.message);
      worker.onmessage = ({ data }: MessageEvent<ModelWorkerReport>) => {
        onReport(data);
        const isLast = data.kind !== "progress" && (data.kind !== "checked" || data.faults.length > 0);
        if (isLast) resolve();
      };
      // The bytes are copied, not transferred, so the caller's request remains usable.
      worker.postMessage(order);
    });
  } finally {
    clearTimeout(late);
    worker.terminate();
  }
}
