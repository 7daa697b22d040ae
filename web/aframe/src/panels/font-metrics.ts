/** Parses glyph metrics of bitmap fonts and breaks lines. Pure; `glyph-mesh.ts` fetches the fonts and draws. */
import { TEXT_LINES_MAX } from "../limits.ts";
import { bag, finite, type JsonObject } from "../values.ts";

/** A glyph's rectangle in the atlas and its placement on the line, in the font's pixels. */
export interface Glyph {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly offsetX: number;
  readonly offsetY: number;
  readonly advance: number;
}

/** A bitmap font. */
export interface FontMetrics {
  /** Pixels per em; a text size in metres is the size of an em. */
  readonly em: number;
  readonly lineHeight: number;
  readonly base: number;
  readonly atlasWidth: number;
  readonly atlasHeight: number;
  readonly glyphs: ReadonlyMap<number, Glyph>;
  readonly kernings: ReadonlyMap<string, number>;
}

/** Parses a font's JSON from `msdf-bmfont`. */
export function fontMetrics(json: unknown): FontMetrics {
  const font = bag(json) ?? {};
  const shape = bag(font.common) ?? {};
  const glyphs = new Map(list(font.chars).map((one) => [number(one.id), glyphOf(one)] as const));
  const kernings = new Map(list(font.kernings).map((pair) => [`${pair.first} ${pair.second}`, number(pair.amount)]));
  return {
    em: number(bag(font.info)?.size) || 1,
    lineHeight: number(shape.lineHeight),
    base: number(shape.base),
    atlasWidth: number(shape.scaleW) || 1,
    atlasHeight: number(shape.scaleH) || 1,
    glyphs,
    kernings,
  };
}

/** U+FFFD, shown for characters missing in the font. */
const REPLACEMENT = 0xff_fd;

/** The glyph of a character, or the replacement character's. */
function glyphFor(font: FontMetrics, character: string): Glyph | undefined {
  return font.glyphs.get(character.codePointAt(0) ?? 0) ?? font.glyphs.get(REPLACEMENT);
}

/** The glyphs of a line with their start positions, and the line's width, in the font's pixels. */
export function placed(
  font: FontMetrics,
  line: string,
): { readonly glyphs: readonly (readonly [Glyph, number])[]; readonly width: number } {
  const glyphs: (readonly [Glyph, number])[] = [];
  let [pen, before] = [0, -1];
  for (const character of line) {
    const glyph = glyphFor(font, character);
    if (!glyph) continue;
    const code = character.codePointAt(0) ?? 0;
    pen += font.kernings.get(`${before} ${code}`) ?? 0;
    glyphs.push([glyph, pen]);
    pen += glyph.advance;
    before = code;
  }
  return { glyphs, width: pen };
}

/** Width of a line at a text size, in metres. */
export function widthOf(font: FontMetrics, line: string, sizeM: number): number {
  return (placed(font, line).width * sizeM) / font.em;
}

/** Line height at a text size, in metres. */
export function lineHeightOf(font: FontMetrics, sizeM: number): number {
  return (font.lineHeight * sizeM) / font.em;
}

/** Breaks text into lines no wider than `widthM`, within a word only if it is too long by itself. */
export function wrapped(font: FontMetrics, text: string, sizeM: number, widthM: number): readonly string[] {
  const fits = (line: string): boolean => widthOf(font, line, sizeM) <= widthM;
  const lines: string[] = [];
  for (const paragraph of text.split(/\r?\n/)) {
    let line = "";
    for (const word of paragraph.split(/[ \t]+/)) {
      const longer = line === "" ? word : `${line} ${word}`;
      if (fits(longer)) {
        line = longer;
        continue;
      }
      if (line !== "") lines.push(line);
      line = lastPiece(word, fits, lines);
      if (lines.length > TEXT_LINES_MAX) return lines.slice(0, TEXT_LINES_MAX);
    }
    lines.push(line);
  }
  return lines.slice(0, TEXT_LINES_MAX);
}

/** Appends the full pieces of a long word to `lines`. Returns the rest. */
function lastPiece(word: string, fits: (line: string) => boolean, lines: string[]): string {
  let piece = "";
  for (const character of word) {
    if (piece !== "" && !fits(piece + character)) {
      lines.push(piece);
      piece = "";
    }
    piece += character;
    if (lines.length > TEXT_LINES_MAX) return piece;
  }
  return piece;
}

function glyphOf(one: JsonObject): Glyph {
  return {
    x: number(one.x),
    y: number(one.y),
    width: number(one.width),
    height: number(one.height),
    offsetX: number(one.xoffset),
    offsetY: number(one.yoffset),
    advance: number(one.xadvance),
  };
}

function list(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(bag).filter((one) => one !== undefined) : [];
}

function number(value: unknown): number {
  return finite(value) ?? 0;
}
