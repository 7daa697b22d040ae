/**
 * Parses the scene plane's strict JSON (`spec/topics.md` section 2). `JSON.parse` doesn't serve: it accepts repeated
 * keys, any depth and lone surrogates, and doesn't distinguish `NaN` from other errors.
 */
import { JSON_DEPTH_MAX } from "./limits.ts";
import { type ParseResult, type Reason, refusedFor, taken } from "./reason.ts";

/** Parses one JSON text. */
export function parseJson(text: string): ParseResult<unknown> {
  const reader = new JsonTextReader(text);
  try {
    return taken(reader.document());
  } catch (error) {
    if (error instanceof JsonTextError) return refusedFor(error.reason);
    throw error;
  }
}

class JsonTextError extends Error {
  readonly reason: Reason;
  constructor(reason: Reason) {
    super(reason);
    this.reason = reason;
  }
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const NOT_FINITE = /-?(?:NaN|Infinity)/y;
const SPACE = /[ \t\n\r]*/y;
const PLAIN_RUN = /[^"\\]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern detects control characters
const CONTROL = /[\u0000-\u001f]/;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class JsonTextReader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): unknown {
    const value = this.#value();
    this.#skip();
    if (this.#at !== this.#text.length) throw new JsonTextError("not_json");
    return value;
  }

  #value(): unknown {
    this.#skip();
    switch (this.#text[this.#at]) {
      case "{":
        return this.#nested(() => this.#object());
      case "[":
        return this.#nested(() => this.#array());
      case '"':
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > JSON_DEPTH_MAX) throw new JsonTextError("too_deep");
    this.#at += 1;
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #object(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    if (this.#took("}")) return object;
    for (;;) {
      this.#skip();
      if (this.#text[this.#at] !== '"') throw new JsonTextError("not_json");
      const key = this.#string();
      if (Object.hasOwn(object, key)) throw new JsonTextError("repeated_key");
      this.#expect(":");
      // An assignment to `__proto__` would set the prototype.
      Object.defineProperty(object, key, {
        value: this.#value(),
        enumerable: true,
        configurable: true,
        writable: true,
      });
      if (this.#took("}")) return object;
      this.#expect(",");
    }
  }

  #array(): unknown[] {
    const array: unknown[] = [];
    if (this.#took("]")) return array;
    for (;;) {
      array.push(this.#value());
      if (this.#took("]")) return array;
      this.#expect(",");
    }
  }

  #string(): string {
    this.#at += 1;
    let value = "";
    for (;;) {
      const run = this.#match(PLAIN_RUN) ?? "";
      if (CONTROL.test(run)) throw new JsonTextError("not_json");
      value += run;
      const next = this.#text[this.#at];
      this.#at += 1;
      if (next === '"') break;
      if (next !== "\\") throw new JsonTextError("not_json");
      value += this.#escape();
    }
    if (!value.isWellFormed()) throw new JsonTextError("not_json");
    return value;
  }

  #escape(): string {
    const letter = this.#text[this.#at] ?? "";
    this.#at += 1;
    const known = ESCAPES[letter];
    if (known !== undefined) return known;
    const hex = this.#text.slice(this.#at, this.#at + 4);
    if (letter !== "u" || !/^[0-9a-fA-F]{4}$/.test(hex)) throw new JsonTextError("not_json");
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }

  #number(): number {
    const digits = this.#match(NUMBER);
    if (digits === undefined)
      throw new JsonTextError(this.#match(NOT_FINITE) === undefined ? "not_json" : "not_finite");
    const number = Number(digits);
    if (!Number.isFinite(number)) throw new JsonTextError("not_finite");
    return number;
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw new JsonTextError("not_json");
    this.#at += word.length;
    return value;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #skip(): void {
    this.#match(SPACE);
  }

  #took(mark: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    return true;
  }

  #expect(mark: string): void {
    if (!this.#took(mark)) throw new JsonTextError("not_json");
  }
}
