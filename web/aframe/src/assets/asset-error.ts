/** Why a file isn't shown, as a code: the page has the words. */

/**
 * `missing`: there is none. `no-address`: what is named is none that files are read from. `not-allowed`: one may not read it. `unreachable`: its server
 * doesn't answer. `too-large`. `unreadable`: it is broken, or of another kind.
 */
export type BrokenCode = "missing" | "no-address" | "not-allowed" | "unreachable" | "too-large" | "unreadable";

/** A file could not be had. */
export class AssetError extends Error {
  readonly code: BrokenCode;

  constructor(code: BrokenCode, detail: string) {
    super(`${code}: ${detail}`);
    this.name = "AssetError";
    this.code = code;
  }
}

/** There is more of a file than may be: how much, in bytes or triangles. */
export class TooLargeError extends AssetError {
  readonly unit: "bytes" | "triangles";
  readonly found: number;
  readonly limit: number;

  constructor(unit: "bytes" | "triangles", found: number, limit: number) {
    super("too-large", `${found} ${unit}, at most ${limit}`);
    this.name = "TooLargeError";
    this.unit = unit;
    this.found = found;
    this.limit = limit;
  }
}

/** The code of whatever went wrong; a parser's own complaints mean that the file is unreadable. */
export function codeOf(error: unknown): BrokenCode {
  return error instanceof AssetError ? error.code : "unreadable";
}
