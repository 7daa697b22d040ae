/** The Khronos validator ships no types. These cover the parts used here. */
declare module "gltf-validator" {
  interface Issue {
    readonly code: string;
    readonly message: string;
    /** 0 error, 1 warning, 2 information, 3 hint. */
    readonly severity: number;
    readonly pointer?: string;
  }
  interface Options {
    readonly maxIssues?: number;
    readonly writeTimestamp?: boolean;
    readonly severityOverrides?: Readonly<Record<string, number>>;
  }
  export function validateBytes(
    bytes: Uint8Array,
    options?: Options,
  ): Promise<{ readonly issues: { readonly messages: readonly Issue[] } }>;
}
