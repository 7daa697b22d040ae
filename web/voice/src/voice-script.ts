/**
 * The script of voices off the page's thread: as an audio worklet it plays and captures, as a worker it captures. It is
 * one file, so that a page fetches the codec once.
 */
import { type CaptureScope, serveCapture } from "./capture/capture-worker.ts";
import { Opus } from "./codec/opus.ts";
import type { AudioWorkletScope } from "./worklet/scope.ts";
import { registerProcessors } from "./worklet/voice-worklet.ts";

const library = Opus.load();
if ("AudioWorkletProcessor" in globalThis) registerProcessors(globalThis as unknown as AudioWorkletScope, library);
else serveCapture(globalThis as unknown as CaptureScope, library);
