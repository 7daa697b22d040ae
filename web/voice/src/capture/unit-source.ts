/** Makes units of a microphone's sound as a page and the motion plane ask, on the audio thread or in a worker. */
import type { VoicePortReport, VoicePortRequest } from "@stoa/client";
import type { Opus, OpusEncoder } from "../codec/opus.ts";
import { REPORT_MS } from "../limits.ts";
import type { LoadReport, SourceReport, SourceRequest } from "../messages.ts";
import { UnitCapture } from "./unit-capture.ts";

/** Sends reports to the page. */
export type ReportToPage = (report: SourceReport | LoadReport) => void;

/** Encodes the microphone's sound. */
export class UnitSource {
  readonly #report: ReportToPage;
  #encoder: OpusEncoder | undefined;
  #capture: UnitCapture | undefined;
  #port: MessagePort | undefined;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #isMuted = false;

  constructor(library: Promise<Opus>, report: ReportToPage) {
    this.#report = report;
    library.then(
      (opus) => {
        this.#encoder = opus.encoder();
        report({ kind: "ready" });
      },
      (error: unknown) => report({ kind: "failed", error: String(error) }),
    );
  }

  handle(request: SourceRequest): void {
    if ("port" in request) this.#connect(request.port);
    else {
      this.#isMuted = request.isMuted;
      this.#capture?.clear();
    }
  }

  /** Takes samples of which the first was captured at `nowMs`. Those before the codec is loaded are dropped. */
  push(samples: Float32Array, rateHz: number, nowMs: number): void {
    if (this.#encoder === undefined || this.#isMuted) return;
    // A track changes its rate with its device.
    if (this.#capture?.rateHz !== rateHz)
      this.#capture = new UnitCapture(this.#encoder, rateHz, this.#capture?.number ?? 0);
    this.#capture.push(samples, nowMs, this.#send);
    if (nowMs - this.#reportedAt < REPORT_MS) return;
    const { level } = this.#capture;
    this.#report({ kind: "level", level: level & 0x7f, isSpeech: level >= 0x80 });
    this.#reportedAt = nowMs;
  }

  readonly #send = (unit: VoicePortRequest["unit"]): void => {
    const request: VoicePortRequest = { unit };
    this.#port?.postMessage(request, [unit.payload.buffer]);
  };

  #connect(port: MessagePort): void {
    this.#port?.close();
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<VoicePortReport>) => {
      if ("uplink" in data) this.#capture?.adapt(data.uplink);
    };
  }
}
