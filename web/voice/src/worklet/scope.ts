/** The global scope of audio worklets, which TypeScript's library lacks. Source: Web Audio API 1.1, section 1.32. */

/** A processor of the audio thread. */
export interface Processor {
  readonly port: MessagePort;
}

/** Options of a processor, as its node's `processorOptions`. */
export interface ProcessorOptions<Own> {
  readonly processorOptions: Own;
}

/** A processor's constructor, and its call for each quantum of 128 samples: true keeps the processor alive. */
export type ProcessorClass<Own> = new (
  options: ProcessorOptions<Own>,
) => Processor & { process(inputs: readonly Float32Array[][], outputs: readonly Float32Array[][]): boolean };

/** Globals of the audio thread. */
export interface AudioWorkletScope {
  readonly AudioWorkletProcessor: new () => Processor;
  /** Frame of the quantum being rendered, and its time in seconds. */
  readonly currentFrame: number;
  readonly currentTime: number;
  /** Frames a second. */
  readonly sampleRate: number;
  registerProcessor<Own>(name: string, processor: ProcessorClass<Own>): void;
}
