/** The file's bytes. */
export function madeVrm(): Uint8Array<ArrayBuffer>;
