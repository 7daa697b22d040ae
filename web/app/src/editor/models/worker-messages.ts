/** Messages between the page and the model worker. */

/** A model to check and optimise. */
export interface ModelWorkerRequest {
  /** A binary glTF, or the JSON of a glTF whose other files are `parts`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly parts?: Record<string, Uint8Array<ArrayBuffer>>;
}

/**
 * The worker's reports, in this order: one `checked`, which is the last if it lists faults; any number of `progress`;
 * one of the others. `failed` is the last at any time.
 */
export type ModelWorkerReport =
  /** The faults; empty for a valid model. `packed` is a `.gltf` and its parts as one file; `null` for a binary glTF. */
  | { readonly kind: "checked"; readonly faults: readonly string[]; readonly packed: Uint8Array | null }
  /** 0 to 1. */
  | { readonly kind: "progress"; readonly done: number }
  /** The model isn't optimised, because it uses the extension `why`. */
  | { readonly kind: "left"; readonly why: string }
  | { readonly kind: "optimised"; readonly bytes: Uint8Array }
  | { readonly kind: "failed"; readonly words: string };
