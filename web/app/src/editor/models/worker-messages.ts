/** What the page and the worker for models say to each other. */

/** A model to check and optimise. */
export interface Order {
  /** A binary glTF, or the JSON of one whose other files are `parts`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly parts?: Record<string, Uint8Array<ArrayBuffer>>;
}

/** What the worker tells, in this order: `checked`; `progress` as often as it likes; then one of the others. */
export type Report =
  /** What is wrong with it, the worst first; nothing: it is a good model. `packed` is a `.gltf` and its parts as one file. */
  | { readonly kind: "checked"; readonly faults: readonly string[]; readonly packed: Uint8Array | null }
  /** 0 to 1. */
  | { readonly kind: "progress"; readonly done: number }
  /** The model uses what must stay as it is. */
  | { readonly kind: "left"; readonly why: string }
  | { readonly kind: "optimised"; readonly bytes: Uint8Array }
  | { readonly kind: "failed"; readonly words: string };
