/** Messages between the page and the model worker. */

/** A model to check and optimise. */
export interface ModelWorkerRequest {
  /** A binary glTF, or the JSON of a glTF whose other files are `parts`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly parts?: Record<string, Uint8Array<ArrayBuffer>>;
}

/** The worker's reports, in this order: one `checked`, any number of `progress`, then one of the others. */
export type ModelWorkerReport =
  /** The faults, worst first; empty for a valid model. `packed` is a `.gltf` and its parts as one file. */
  | { readonly kind: "checked"; readonly faults: readonly string[]; readonly packed: Uint8Array | null }
  /** 0 to 1. */
  | { readonly kind: "progress"; readonly done: number }
  /** The model uses an extension that can't be rewritten. */
  | { readonly kind: "left"; readonly why: string }
  | { readonly kind: "optimised"; readonly bytes: Uint8Array }
  | { readonly kind: "failed"; readonly words: string };
