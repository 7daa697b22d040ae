/** The compiled library inside `libopus-wasm`, whose own interface allocates an array for each packet. */
declare module "*/libopus.generated.mjs" {
  /** Functions and memory of the library. Addresses are byte offsets; sizes are in samples or bytes. */
  export interface Libopus {
    readonly HEAPU8: Uint8Array<ArrayBuffer>;
    readonly HEAP32: Int32Array<ArrayBuffer>;
    readonly HEAPF32: Float32Array<ArrayBuffer>;
    _malloc(bytes: number): number;
    _free(address: number): void;
    _oc_create_encoder(rate: number, channels: number, application: number, error: number): number;
    _oc_destroy_encoder(encoder: number): void;
    _oc_encode_float(encoder: number, pcm: number, samples: number, packet: number, bytesMax: number): number;
    _oc_encoder_ctl(encoder: number, request: number, value: number): number;
    _oc_encoder_ctl_get_in_dtx(encoder: number): number;
    _oc_create_decoder(rate: number, channels: number, error: number): number;
    _oc_destroy_decoder(decoder: number): void;
    _oc_decode_float(
      decoder: number,
      packet: number,
      bytes: number,
      pcm: number,
      samplesMax: number,
      isRecovery: number,
    ): number;
  }
  export default function createLibopus(): Promise<Libopus>;
}
