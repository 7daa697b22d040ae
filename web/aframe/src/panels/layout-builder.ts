/** Builds panel layouts downwards from y = 0. Pure; see `layout.ts`. */
import type { ButtonSettings, CardSettings, KeysSettings, TextEntrySettings } from "../mapping/panel.ts";
import { type FontMetrics, lineHeightOf, widthOf, wrapped } from "./font-metrics.ts";
import { MEASURES as M, type PanelTheme } from "./theme.ts";

/** A rectangle by its centre. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A coloured rounded rectangle. */
export interface Plate extends Box {
  readonly radius: number;
  readonly color: string;
  readonly opacity: number;
  /** Drawing order; 0 is at the back. */
  readonly layer: number;
}

/** One line; `x` is its left edge, `y` its top. */
export interface TextLine {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly color: string;
  /** Extra width of each space, for justified text. */
  readonly blank: number;
  /** Whether the line is on a button, in front of everything. */
  readonly raised: boolean;
}

/** A picture in a box. */
export interface PanelPicture extends Box {
  readonly url: string;
  readonly fit: string;
  readonly radius: number;
  /** Whether the picture is on the panel or on a button in front. */
  readonly layer: "panel" | "button";
}

/** A button with the fields of its event. */
export interface PanelButton extends Box {
  readonly name: string;
  /** `null` for a card's close button, which has no index in ARENA's event. */
  readonly index: number | null;
  readonly radius: number;
}

/** A finished layout. */
export interface PanelLayout {
  readonly width: number;
  readonly height: number;
  readonly look: PanelTheme;
  readonly plates: readonly Plate[];
  readonly lines: readonly TextLine[];
  readonly pictures: readonly PanelPicture[];
  readonly buttons: readonly PanelButton[];
}

/** The sign after the text being typed. */
const CURSOR = "_";
/** Visible lines of the text being typed, from its end. */
const WRITTEN_LINES = 2;

/** Label of a card's close button, not translated because ARENA's event carries it as the button's name. */
const CLOSE = "Close";

interface ParagraphPlacement {
  readonly y: number;
  readonly x?: number;
  readonly size: number;
  readonly width: number;
  readonly align: string;
}

/** A layout under construction; `finish` moves the origin to its centre. */
export class PanelLayoutBuilder {
  readonly #font: FontMetrics;
  readonly #look: PanelTheme;
  readonly #plates: Plate[] = [];
  readonly #pictures: PanelPicture[] = [];
  readonly #buttons: PanelButton[] = [];
  #lines: TextLine[] = [];

  constructor(font: FontMetrics, look: PanelTheme) {
    this.#font = font;
    this.#look = look;
  }

  /** Adds a paragraph. Returns the y of its end. */
  paragraph(text: string, { y, x = 0, size, width, align }: ParagraphPlacement): number {
    if (text === "") return y;
    const lines = wrapped(this.#font, text, size, width);
    const step = lineHeightOf(this.#font, size);
    lines.forEach((line, at) => {
      const free = width - widthOf(this.#font, line, size);
      const blanks = line.split(" ").length - 1;
      const filled = align === "justify" && at < lines.length - 1 && blanks > 0 && free < width / 3;
      const start = align === "center" ? free / 2 : align === "right" ? free : 0;
      const place = { x: x - width / 2 + start, y: y - at * step, blank: filled ? free / blanks : 0 };
      this.#lines.push({ text: line, size, color: this.#look.text, raised: false, ...place });
    });
    return y - lines.length * step;
  }

  /** Moves all lines added so far. */
  shift(y: number): void {
    this.#lines = this.#lines.map((line) => ({ ...line, y: line.y + y }));
  }

  picture({ img, imgSize, imgCaption, fontSize }: CardSettings, box: Box): void {
    this.#plates.push({ ...box, radius: M.radius, color: this.#look.captionBg, opacity: 1, layer: 2 });
    this.#pictures.push({ ...box, url: img, fit: imgSize, radius: M.radius, layer: "panel" });
    if (imgCaption === "") return;
    const width = box.width - 4 * M.padding;
    const lines = wrapped(this.#font, imgCaption, fontSize, width);
    const high = lines.length * lineHeightOf(this.#font, fontSize) + 2 * M.padding;
    const y = box.y - box.height / 2 + M.padding + high / 2;
    const wide = Math.max(...lines.map((line) => widthOf(this.#font, line, fontSize))) + 2 * M.padding;
    const ground = { x: box.x, y, width: wide, height: high, radius: M.radius / 2 };
    this.#plates.push({ ...ground, color: this.#look.bg, opacity: 0.9, layer: 4 });
    this.paragraph(imgCaption, { y: y + high / 2 - M.padding, x: box.x, size: fontSize, width, align: "center" });
  }

  /** The width of the widest button. */
  widest(buttons: readonly ButtonSettings[]): number {
    return Math.max(0, ...buttons.map((one) => this.#sizeOf(one).width));
  }

  /** Adds buttons in as many rows as needed. Returns the y of their end. */
  rows(buttons: readonly ButtonSettings[], y: number, width: number): number {
    const rows: { sizes: { width: number; height: number }[]; from: number }[] = [];
    let used = Number.POSITIVE_INFINITY;
    buttons.forEach((button, index) => {
      const size = this.#sizeOf(button);
      if (used + M.buttonMargin + size.width > width + 1e-9) rows.push({ sizes: [], from: index });
      const row = rows.at(-1);
      used = row?.sizes.length === 0 ? size.width : used + M.buttonMargin + size.width;
      row?.sizes.push(size);
    });
    let top = y;
    for (const { sizes, from } of rows) {
      const high = Math.max(...sizes.map(({ height }) => height));
      let x = -(sizes.reduce((sum, one) => sum + one.width, 0) + M.buttonMargin * (sizes.length - 1)) / 2;
      sizes.forEach(({ width: wide }, at) => {
        const button = buttons[from + at];
        const box = { x: x + wide / 2, y: top - high / 2, width: wide, height: high };
        if (button) this.#button(button, from + at, box);
        x += wide + M.buttonMargin;
      });
      top -= high + M.buttonMargin;
    }
    return buttons.length === 0 ? y : top + M.buttonMargin;
  }

  /** Lays out a panel of only a title and buttons. */
  framed(buttons: readonly ButtonSettings[], { title, vertical }: { title: string; vertical: boolean }): PanelLayout {
    const sizes = buttons.map((one) => this.#sizeOf(one));
    const row = sizes.reduce((sum, one) => sum + one.width + M.buttonMargin, -M.buttonMargin);
    const headed = title === "" ? 0 : widthOf(this.#font, title, M.buttonSize);
    const wide = vertical ? this.widest(buttons) : Math.max(0, row);
    const width = Math.max(wide, Math.min(headed, Math.max(wide, 1.5)));
    let y = -3 * M.padding;
    y = this.paragraph(title, { y, size: M.buttonSize, width, align: "center" });
    if (title !== "") y -= 2 * M.padding;
    if (vertical) {
      buttons.forEach((button, index) => {
        const { height } = this.#sizeOf(button);
        this.#button(button, index, { x: 0, y: y - height / 2, width, height });
        y -= height + (index === buttons.length - 1 ? 0 : M.buttonMargin);
      });
    } else y = this.rows(buttons, y, width);
    return this.finish(width + 6 * M.padding, -y + 3 * M.padding);
  }

  /** Lays out rows of keys, each key with its own width. */
  keys(rows: KeysSettings["rows"]): PanelLayout {
    const wide = (units: number): number => units * (M.keyWidth + M.buttonMargin) - M.buttonMargin;
    const widthOfRow = (row: KeysSettings["rows"][number]): number =>
      wide(row.reduce((sum, key) => sum + key.width, 0));
    const width = Math.max(0, ...rows.map(widthOfRow));
    let index = 0;
    let y = -3 * M.padding;
    for (const row of rows) {
      let x = -widthOfRow(row) / 2;
      for (const key of row) {
        const box = { width: wide(key.width), height: M.keyHeight };
        this.#button({ name: key.name, borderRadius: M.radius / 2 }, index, {
          x: x + box.width / 2,
          y: y - box.height / 2,
          ...box,
        });
        x += box.width + M.buttonMargin;
        index += 1;
      }
      y -= M.keyHeight + M.buttonMargin;
    }
    return this.finish(width + 6 * M.padding, -y - M.buttonMargin + 3 * M.padding);
  }

  /** Lays out a text entry: the newest lines that fit, above a field with the end of the text being typed. */
  page({ title, lines, written }: TextEntrySettings): PanelLayout {
    const width = M.pageWidth - 2 * M.contentPadding;
    const step = lineHeightOf(this.#font, M.pageSize);
    const place = { size: M.pageSize, width, align: "left" };
    const below = this.paragraph(title, { ...place, y: -M.contentPadding, align: "center" });
    const fieldHeight = WRITTEN_LINES * step + 2 * M.padding;
    const fieldY = -M.pageHeight + M.contentPadding / 2 + fieldHeight / 2;
    const bottom = fieldY + fieldHeight / 2 + M.padding;
    const room = Math.max(0, Math.floor((below - M.padding - bottom) / step));
    const all = lines.flatMap((line) => wrapped(this.#font, line, M.pageSize, width));
    const said = room > 0 ? all.slice(-room) : [];
    if (said.length > 0) this.paragraph(said.join("\n"), { ...place, y: bottom + said.length * step });
    const ground = { x: 0, y: fieldY, width: width + 2 * M.padding, height: fieldHeight, radius: M.radius / 2 };
    this.#plates.push({ ...ground, color: this.#look.buttonBg, opacity: 1, layer: 2 });
    const end = wrapped(this.#font, written + CURSOR, M.pageSize, width).slice(-WRITTEN_LINES);
    this.paragraph(end.join("\n"), { ...place, y: fieldY + fieldHeight / 2 - M.padding });
    return this.finish(M.pageWidth, M.pageHeight);
  }

  /** Finishes a card with a close button below it. */
  closed(width: number, height: number): PanelLayout {
    const wide = widthOf(this.#font, CLOSE, M.closeSize) + 2 * M.buttonPaddingX;
    const high = lineHeightOf(this.#font, M.closeSize) + 2 * M.buttonPaddingY;
    const box = { x: 0, y: -height - M.padding - high / 2, width: wide, height: high };
    this.#buttons.push({ ...box, name: CLOSE, index: null, radius: M.radius });
    const y = box.y + lineHeightOf(this.#font, M.closeSize) / 2;
    this.#label(CLOSE, { y, x: 0, size: M.closeSize, width: wide, align: "center" });
    return this.finish(width, height, M.padding + high);
  }

  finish(width: number, height: number, below = 0): PanelLayout {
    const up = (height + below) / 2;
    const rim = { x: 0, y: -height / 2, width, height, radius: M.radius };
    const look = this.#look;
    const ground = { ...rim, width: width - 2 * M.padding, height: height - 2 * M.padding };
    const plates: Plate[] = [
      { ...rim, color: look.textBg, opacity: look.textBgOpacity, layer: 0 },
      { ...ground, color: look.bg, opacity: look.bgOpacity, layer: 1 },
      ...this.#plates,
    ];
    for (const button of this.#buttons) {
      const [wide, high] = [button.width + M.buttonRim, button.height + M.buttonRim];
      const shade = { color: look.textBg, opacity: look.textBgOpacity, layer: 3 };
      plates.push({
        x: button.x,
        y: button.y,
        width: wide,
        height: high,
        radius: button.radius + M.buttonRim / 2,
        ...shade,
      });
    }
    const raise = <T extends { readonly y: number }>(one: T): T => ({ ...one, y: one.y + up });
    return {
      width,
      height: height + below,
      look,
      plates: plates.map(raise),
      lines: this.#lines.map(raise),
      pictures: this.#pictures.map(raise),
      buttons: this.#buttons.map(raise),
    };
  }

  #sizeOf({ name, img, size = M.buttonPicture, width, height }: ButtonSettings): { width: number; height: number } {
    if (img !== undefined && img !== "") return { width: width ?? size, height: height ?? size };
    return {
      width: widthOf(this.#font, name, M.buttonSize) + 2 * M.buttonPaddingX,
      height: lineHeightOf(this.#font, M.buttonSize) + 2 * M.buttonPaddingY,
    };
  }

  #button(button: ButtonSettings, index: number, box: Box): void {
    const radius = Math.min(button.borderRadius ?? M.buttonSize, box.width / 2, box.height / 2);
    this.#buttons.push({ ...box, name: button.name, index, radius });
    if (button.img !== undefined && button.img !== "") {
      this.#pictures.push({ ...box, url: button.img, fit: "contain", radius, layer: "button" });
      return;
    }
    const y = box.y + lineHeightOf(this.#font, M.buttonSize) / 2;
    this.#label(button.name, { y, x: box.x, size: M.buttonSize, width: box.width, align: "center" });
  }

  #label(text: string, { y, x = 0, size }: ParagraphPlacement): void {
    const wide = widthOf(this.#font, text, size);
    // Centres on the middle of capital letters, not of the line.
    this.#lines.push({
      text,
      x: x - wide / 2,
      y: y + size * M.capitalsRaised,
      size,
      color: this.#look.buttonText,
      raised: true,
      blank: 0,
    });
  }
}
