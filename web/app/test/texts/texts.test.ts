import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAst } from "vite";
import { describe, expect, it } from "vitest";
import { languageFor, number, variantOf } from "../../src/texts/texts.ts";

const SOURCES = join(import.meta.dirname, "../../src");
/** Attributes that are read out or shown. */
const SPOKEN =
  /\s(?:aria-(?:label|description|roledescription|valuetext|placeholder)|alt|title|placeholder|label)="([^"]*)"/g;
/** A sentence or the beginning of one: `"Looking …"`, `"Press Ctrl+C"`; neither `"ArrowLeft"` nor `"stoa-walk"`. */
const SENTENCE = /^\s*\p{Lu}\p{Ll}+[ ,:.!?…]/u;
/** Two words within a text: `"it took too long"`, but also the classes of an element. */
const WORDS = /\p{Ll}{2,} (?:0 )?\p{Ll}{2,}/u;
/** Calls whose texts are selectors. */
const SEEKING: readonly unknown[] = ["querySelector", "querySelectorAll", "closest", "matches"];
/** Texts that look like words but are never shown, by file. */
const UNREAD: Readonly<Record<string, readonly string[]>> = {
  "editor/files/media-preview.ts": ["no 0 in time", "no video"], // the error is caught
  // stands for a library that isn't called
  "editor/models/pixel-library-stub.ts": ["pictures are drawn by the browser"],
  "editor/inspector/stoa-field.ts": ["help wrong"], // classes
  "editor/inspector/stoa-inspector.ts": ["wrong type", "unknown object type"], // the schemas' own names
  "editor/files/your-files.ts": ["the realm answered 0", "the realm answered 0"], // shown as an unreadable list
  "panels/stoa-chat.ts": ["lines some"], // classes
  "pages/version-check.ts": ["the realm answered 0"], // counts as unknown
  "scene/stage.ts": ["this browser has no WebGL 2"], // the text view is shown instead
};
const LETTER = /\p{L}/u;

/** The texts in one template: between tags, and in attributes that are read out. */
function textsIn(markup: string): string[] {
  const spoken = [...markup.matchAll(SPOKEN)].map(([, value = ""]) => value);
  const shown = markup.replaceAll(/<!--.*?-->/gs, "").split(/<[^>]*>/);
  return [...spoken, ...shown.map((text) => text.replaceAll(/&\w+;/g, ""))]
    .map((text) => text.trim())
    .filter((text) => LETTER.test(text));
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function fieldOf(node: unknown, name: string): unknown {
  return isNode(node) ? node[name] : undefined;
}

function markupOf(quasi: unknown): string {
  const parts = fieldOf(quasi, "quasis");
  // An interpolation counts as a number: it is neither text nor the end of a tag.
  return Array.isArray(parts) ? parts.map((part) => rawOf(part)).join("0") : "";
}

function rawOf(part: unknown): string {
  const value = fieldOf(part, "value");
  return typeof value === "object" && value !== null && "raw" in value ? String(value.raw) : "";
}

/** `unreachable(value: never): never` */
function isUnreachable(node: Node): boolean {
  return node.type === "FunctionDeclaration" && fieldOf(node.id, "name") === "unreachable";
}

/** All texts in a source that users would read there. */
function found(source: string): string[] {
  const texts: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const child of node) visit(child);
    if (!isNode(node)) return;
    // Texts for programmers are no texts of the page.
    if (node.type === "ImportDeclaration" || isUnreachable(node)) return;
    if (SEEKING.includes(fieldOf(fieldOf(fieldOf(node, "callee"), "property"), "name"))) return;
    if (node.type === "TaggedTemplateExpression") {
      const tag = fieldOf(node.tag, "name");
      if (tag === "html" || tag === "svg") texts.push(...textsIn(markupOf(node.quasi)));
      visit(fieldOf(node.quasi, "expressions"));
      return;
    }
    const literal = node.type === "Literal" ? node.value : node.type === "TemplateLiteral" ? markupOf(node) : "";
    if (typeof literal === "string" && (SENTENCE.test(literal) || WORDS.test(literal))) texts.push(literal);
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(source, { lang: "ts" }).body);
  return texts;
}

describe("all texts are in the texts folder", () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

  it.each(files.filter((file) => !/^texts\/texts(-\w+)?\.ts$/.test(file)))(
    "%s contains no text that users read",
    (file) => {
      expect(found(readFileSync(join(SOURCES, file), "utf8"))).toEqual(UNREAD[file] ?? []);
    },
  );

  it.each([
    ['const a = html`<p class="big" @click=§{() => b > 1}>Hello §{name}</p>`;', "Hello 0"],
    ["const a = html`<p>§{x ? html`<b>inner</b>` : nothing}</p>`;", "inner"],
    ['const a = html`<img alt="" /><input placeholder="Say it" aria-label=§{texts.a} />`;', "Say it"],
    ['this.wrong = "Not so, my friend.";', "Not so, my friend."],
    ["this.wrong = `Sorry, §{name}`;", "Sorry, 0"],
    ['fail("it took too long");', "it took too long"],
    ['reject(new Error("the realm is away"));', "the realm is away"],
    ["say(`and §{rest} more`);", "and 0 more"],
  ])("negative control: the text in %s is found", (source, text) => {
    expect(found(source.replaceAll("§", "$"))).toEqual([text]);
  });

  it("key names, selectors and programming errors don't count as texts", () => {
    expect(found('if (event.key === "ArrowLeft") root.querySelector("form select");')).toEqual([]);
    expect(found('function unreachable(): never { throw new Error("Never here, we hope"); }')).toEqual([]);
  });
});

describe("the language of the page", () => {
  it("is the first preferred language that exists, also by its base language", () => {
    expect(languageFor(["fr", "de-AT", "en"], ["en", "de"])).toBe("de");
    expect(languageFor(["pt-BR"], ["en", "pt", "pt-BR"])).toBe("pt-BR");
  });

  it("is English where nothing fits", () => {
    expect(languageFor(["ja"], ["en", "de"])).toBe("en");
    expect(languageFor([])).toBe("en");
  });

  it("uses the regional variant that the user prefers", () => {
    expect(variantOf("en", ["de-AT", "en-GB", "en-US"])).toBe("en-GB");
    expect(variantOf("en", ["eng-x", "de-AT"])).toBe("en");
  });

  it("formats numbers by its own rules", () => {
    expect(number(1234.567)).toBe("1,234.57");
  });
});
