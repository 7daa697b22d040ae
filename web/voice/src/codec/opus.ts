/** Opus for voices: one channel at 48 kHz, 20 ms a packet. Encoding and decoding allocate nothing. Source: RFC 6716. */
import { UNIT_PAYLOAD_BYTES_MAX } from "@stoa/client/limits";
import createLibopus, { type Libopus } from "../../../node_modules/libopus-wasm/dist/generated/libopus.generated.mjs";
import { UNIT_SAMPLES, VOICE_RATE_HZ } from "../limits.ts";

/** `OPUS_APPLICATION_VOIP`. */
const VOIP = 2_048;
/** Requests of `opus_encoder_ctl`. */
const CTL = { bitrate: 4_002, complexity: 4_010, fec: 4_012, lossPercent: 4_014, dtx: 4_016, signal: 4_024 } as const;
/** `OPUS_SIGNAL_VOICE`. */
const VOICE = 3_001;
/** Longest output of one packet: 120 ms. */
const PACKET_SAMPLES_MAX = 6 * UNIT_SAMPLES;

/** The loaded library. */
export class Opus {
  readonly #library: Libopus;

  private constructor(library: Libopus) {
    this.#library = library;
  }

  /** Compiles the library, which takes some 20 ms. */
  static async load(): Promise<Opus> {
    return new Opus(await createLibopus());
  }

  encoder(): OpusEncoder {
    return new OpusEncoder(this.#library);
  }

  decoder(): OpusDecoder {
    return new OpusDecoder(this.#library);
  }
}

/** Memory of the library that one codec uses: a packet and its samples. */
class CodecMemory {
  readonly #library: Libopus;
  readonly packet: number;
  readonly samples: number;
  readonly #sampleCount: number;
  #packetView: Uint8Array;
  #sampleView: Float32Array;

  constructor(library: Libopus, sampleCount: number) {
    this.#library = library;
    this.#sampleCount = sampleCount;
    this.packet = library._malloc(UNIT_PAYLOAD_BYTES_MAX);
    this.samples = library._malloc(4 * sampleCount);
    this.#packetView = this.#viewPacket();
    this.#sampleView = this.#viewSamples();
  }

  get packetBytes(): Uint8Array {
    if (this.#packetView.buffer !== this.#library.HEAPU8.buffer) this.#packetView = this.#viewPacket();
    return this.#packetView;
  }

  get sampleValues(): Float32Array {
    if (this.#sampleView.buffer !== this.#library.HEAPF32.buffer) this.#sampleView = this.#viewSamples();
    return this.#sampleView;
  }

  free(): void {
    this.#library._free(this.packet);
    this.#library._free(this.samples);
  }

  // The library's memory moves when it grows, and views of the old one are then empty.
  #viewPacket(): Uint8Array {
    return this.#library.HEAPU8.subarray(this.packet, this.packet + UNIT_PAYLOAD_BYTES_MAX);
  }

  #viewSamples(): Float32Array {
    return this.#library.HEAPF32.subarray(this.samples >> 2, (this.samples >> 2) + this.#sampleCount);
  }
}

/** Decodes one voice. */
export class OpusDecoder {
  readonly #library: Libopus;
  readonly #memory: CodecMemory;
  #decoder: number;

  constructor(library: Libopus) {
    this.#library = library;
    this.#memory = new CodecMemory(library, PACKET_SAMPLES_MAX);
    this.#decoder = this.#create();
  }

  /** Decodes a packet into the front of `into`. Returns the number of samples; 0 for an invalid packet. */
  decode(payload: Uint8Array, into: Float32Array): number {
    return this.#decode(payload, into, PACKET_SAMPLES_MAX, 0);
  }

  /** Recovers a lost packet from the one after it. Returns 0 if that has no copy of it. */
  decodeFec(next: Uint8Array, into: Float32Array): number {
    return this.#decode(next, into, UNIT_SAMPLES, 1);
  }

  /** Conceals a loss of `samples`, a multiple of 120. */
  conceal(into: Float32Array, samples: number): number {
    const decoded = this.#library._oc_decode_float(this.#decoder, 0, 0, this.#memory.samples, samples, 0);
    return this.#copy(decoded, into);
  }

  /** Forgets the voice before. The library lets no program reset a decoder, so another one takes its place. */
  reset(): void {
    this.#library._oc_destroy_decoder(this.#decoder);
    this.#decoder = this.#create();
  }

  free(): void {
    this.#library._oc_destroy_decoder(this.#decoder);
    this.#memory.free();
  }

  #create(): number {
    const decoder = this.#library._oc_create_decoder(VOICE_RATE_HZ, 1, this.#memory.samples);
    if (decoder === 0) throw new Error("no memory for an Opus decoder");
    return decoder;
  }

  #decode(payload: Uint8Array, into: Float32Array, samplesMax: number, isRecovery: number): number {
    if (payload.length === 0 || payload.length > UNIT_PAYLOAD_BYTES_MAX) return 0;
    this.#memory.packetBytes.set(payload);
    const { packet, samples } = this.#memory;
    const { length } = payload;
    return this.#copy(
      this.#library._oc_decode_float(this.#decoder, packet, length, samples, samplesMax, isRecovery),
      into,
    );
  }

  #copy(decoded: number, into: Float32Array): number {
    const count = Math.min(decoded, into.length);
    const values = this.#memory.sampleValues;
    for (let at = 0; at < count; at += 1) into[at] = values[at] ?? 0;
    return Math.max(count, 0);
  }
}

/** Encodes one voice. */
export class OpusEncoder {
  readonly #library: Libopus;
  readonly #memory: CodecMemory;
  readonly #encoder: number;

  constructor(library: Libopus) {
    this.#library = library;
    this.#memory = new CodecMemory(library, UNIT_SAMPLES);
    this.#encoder = library._oc_create_encoder(VOICE_RATE_HZ, 1, VOIP, this.#memory.samples);
    if (this.#encoder === 0) throw new Error("no memory for an Opus encoder");
    this.#control(CTL.signal, VOICE);
    this.#control(CTL.fec, 1);
    this.#control(CTL.dtx, 1);
  }

  /** Samples of the next packet, `UNIT_SAMPLES`, to be filled before `encode`. Valid until then. */
  get input(): Float32Array {
    return this.#memory.sampleValues;
  }

  /** Encodes `input`. Returns the packet, valid until the next call; `undefined` while the voice is silent. */
  encode(): Uint8Array | undefined {
    const { packet, samples } = this.#memory;
    const bytes = this.#library._oc_encode_float(this.#encoder, samples, UNIT_SAMPLES, packet, UNIT_PAYLOAD_BYTES_MAX);
    if (bytes <= 0 || this.#library._oc_encoder_ctl_get_in_dtx(this.#encoder) === 1) return undefined;
    return this.#memory.packetBytes.subarray(0, bytes);
  }

  /** Sets the rate in bits a second, the effort from 0 to 10, and the share of packets that the network loses. */
  adapt({ bitsPerS, complexity, lossPercent }: EncoderSettings): void {
    this.#control(CTL.bitrate, bitsPerS);
    this.#control(CTL.complexity, complexity);
    this.#control(CTL.lossPercent, lossPercent);
  }

  free(): void {
    this.#library._oc_destroy_encoder(this.#encoder);
    this.#memory.free();
  }

  #control(request: number, value: number): void {
    const code = this.#library._oc_encoder_ctl(this.#encoder, request, value);
    if (code !== 0) throw new RangeError(`Opus rejects ${value} for setting ${request}: ${code}`);
  }
}

/** Settings of an encoder that follow network and device. */
export interface EncoderSettings {
  readonly bitsPerS: number;
  readonly complexity: number;
  readonly lossPercent: number;
}

/** Whether a packet of SILK contains speech; `undefined` for a packet of CELT alone. Source: RFC 6716 sections 3.1, 4.2.3. */
export function hasSpeech(packet: Uint8Array): boolean | undefined {
  const configuration = (packet[0] ?? 0) >> 3;
  // Configurations from 16 are CELT. The first bit of a SILK frame of 20 ms, coded as 1 of 2, is its voice activity.
  return configuration >= 16 ? undefined : ((packet[1] ?? 0) & 0x80) !== 0;
}
