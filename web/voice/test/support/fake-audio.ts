// Web Audio, devices and permissions without sound. Each records what happens to it.
import type { MicrophoneDevice } from "../../src/sound/microphone.ts";

/** A parameter that takes each value at once. */
class FakeParam {
  value = 1;
  readonly setValueAtTime = (value: number) => this.#set(value);
  readonly setTargetAtTime = (value: number) => this.#set(value);
  readonly linearRampToValueAtTime = (value: number) => this.#set(value);
  readonly cancelScheduledValues = () => undefined;

  #set(value: number): void {
    this.value = value;
  }
}

/** Any node but a worklet's. */
export class FakeNode {
  readonly gain = new FakeParam();
  readonly positionX = new FakeParam();
  readonly positionY = new FakeParam();
  readonly positionZ = new FakeParam();
  isConnected = false;

  connect<T>(to: T): T {
    this.isConnected = true;
    return to;
  }

  disconnect(): void {
    this.isConnected = false;
  }
}

/** A node of the voice worklet, with the messages that the page sent. */
export class FakeWorkletNode extends FakeNode {
  static failsToLoad = false;
  /** Whether a context that doesn't run loads no worklet, as in Firefox. */
  static needsRunning = false;
  readonly name: string;
  readonly sent: unknown[] = [];
  readonly numberOfOutputs: number;
  #onMessage: ((event: { data: unknown }) => void) | undefined;
  readonly port: object;

  constructor(context: FakeContext, name: string, { numberOfOutputs = 1 }: AudioWorkletNodeOptions = {}) {
    super();
    [this.name, this.numberOfOutputs] = [name, numberOfOutputs];
    const node = this;
    this.port = {
      postMessage: (message: unknown) => this.sent.push(message),
      close: () => undefined,
      set onmessage(listener: (event: { data: unknown }) => void) {
        node.#onMessage = listener;
        const report = FakeWorkletNode.failsToLoad ? { kind: "failed", error: "no memory" } : { kind: "ready" };
        if (FakeWorkletNode.needsRunning && context.state !== "running") context.onRunning = () => node.report(report);
        else queueMicrotask(() => node.report(report));
      },
    };
    context.worklets.push(this);
  }

  /** Sends a message to the page. */
  report(data: unknown): void {
    this.#onMessage?.({ data });
  }
}

/** An analyser, whose sound the test sets. */
export class FakeAnalyser extends FakeNode {
  fftSize = 2_048;
  sound = new Float32Array(32_768);

  getFloatTimeDomainData(into: Float32Array): void {
    into.set(this.sound.subarray(0, into.length));
  }
}

/** A worker, with the messages that the page sent. */
export class FakeWorker {
  static readonly opened: FakeWorker[] = [];
  readonly sent: unknown[] = [];
  isTerminated = false;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;

  constructor() {
    FakeWorker.opened.push(this);
  }

  postMessage(message: unknown): void {
    this.sent.push(message);
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

/** Chromium's access to the sound of a track. */
export class FakeTrackProcessor {
  readonly readable: string;

  constructor({ track }: { track: FakeTrack }) {
    this.readable = `sound of ${track.label}`;
  }
}

/** An audio context, which starts running. */
export class FakeContext {
  static readonly opened: FakeContext[] = [];
  static opensAs: AudioContextState = "running";
  /** Whether there is a sound output; without one, no context runs. */
  static hasOutput = true;
  /** Rates of streams that a context without a rate of its own can't take. */
  static mixesRates = true;
  readonly worklets: FakeWorkletNode[] = [];
  readonly sources: FakeNode[] = [];
  readonly destination = {};
  readonly sampleRate = 48_000;
  currentTime = 0;
  readonly rateHz: number | undefined;
  readonly audioWorklet = { addModule: () => Promise.resolve() };
  readonly calls: string[] = [];
  state: string = FakeContext.opensAs;
  onstatechange: (() => void) | null = null;
  onRunning = (): void => undefined;

  constructor({ sampleRate }: { sampleRate?: number }) {
    this.rateHz = sampleRate;
    FakeContext.opened.push(this);
  }

  createGain(): FakeNode {
    return new FakeNode();
  }

  createPanner(): FakeNode {
    return new FakeNode();
  }

  createAnalyser(): FakeAnalyser {
    return new FakeAnalyser();
  }

  createMediaStreamSource(): FakeNode {
    if (!FakeContext.mixesRates && this.rateHz === undefined) throw new Error("can't mix rates");
    const source = new FakeNode();
    this.sources.push(source);
    return source;
  }

  async suspend(): Promise<void> {
    this.#become("suspended");
  }

  async resume(): Promise<void> {
    if (!FakeContext.hasOutput) return new Promise(() => undefined);
    this.#become("running");
    this.onRunning();
  }

  async close(): Promise<void> {
    this.#become("closed");
  }

  /** Changes the state as browser and system do. */
  #become(state: string): void {
    this.calls.push(state);
    this.set(state);
  }

  set(state: string): void {
    this.state = state;
    this.onstatechange?.();
  }
}

/** The track of a device. */
export class FakeTrack extends EventTarget {
  readonly label: string;
  readonly #settings: Partial<MicrophoneDevice>;
  enabled = true;
  muted = false;
  isStopped = false;

  constructor(deviceId: string) {
    super();
    this.label = `Microphone ${deviceId}`;
    this.#settings = { deviceId, echoCancellation: "all" };
  }

  getSettings(): MediaTrackSettings {
    return { sampleRate: 44_100, ...this.#settings } as MediaTrackSettings;
  }

  stop(): void {
    this.isStopped = true;
  }

  /** Interrupts the device as the system does, or returns it. */
  interrupt(isInterrupted: boolean): void {
    this.muted = isInterrupted;
    this.dispatchEvent(new Event(isInterrupted ? "mute" : "unmute"));
  }
}

/** The devices of a system. */
export class FakeDevices {
  readonly tracks: FakeTrack[] = [];
  readonly asked: unknown[] = [];
  /** Thrown by the next requests. */
  error: Error | undefined;
  /** Awaited before the next requests are answered. */
  opening: Promise<void> = Promise.resolve();

  async getUserMedia({ audio }: { audio: { deviceId?: { ideal: string } } }): Promise<unknown> {
    this.asked.push(audio);
    await this.opening;
    if (this.error !== undefined) throw this.error;
    const track = new FakeTrack(audio.deviceId?.ideal ?? "system");
    this.tracks.push(track);
    return { getTracks: () => [track], getAudioTracks: () => [track] };
  }

  get track(): FakeTrack {
    const track = this.tracks.at(-1);
    if (track === undefined) throw new Error("no device was opened");
    return track;
  }
}
