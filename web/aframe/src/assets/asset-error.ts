/** Reasons why a file isn't shown, as codes; the page holds the texts. */

/**
 * - `missing`: the server has no such file.
 * - `no-address`: the URL isn't one from which files are loaded.
 * - `not-allowed`: the server denies access, or the file refers to a URL from which none is loaded.
 * - `unreachable`: the server doesn't answer, or answers with another error.
 * - `too-large`: the file exceeds a limit.
 * - `unreadable`: the file is corrupt or of another type.
 */
export type AssetErrorCode = "missing" | "no-address" | "not-allowed" | "unreachable" | "too-large" | "unreadable";

/** Loading a file failed. */
export class AssetError extends Error {
  readonly code: AssetErrorCode;

  constructor(code: AssetErrorCode, detail: string) {
    super(`${code}: ${detail}`);
    this.name = "AssetError";
    this.code = code;
  }
}

/** A file exceeds the limit in bytes or triangles. */
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

/** The code of any error; a parser's own error means that the file is unreadable. */
export function codeOf(error: unknown): AssetErrorCode {
  return error instanceof AssetError ? error.code : "unreadable";
}
