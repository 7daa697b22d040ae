/**
 * Computes the layout of panels: plates, text lines, pictures, buttons. Pure; metres, with the origin at the panel's
 * centre and y up.
 */
import type { AnyPanelSettings, CardSettings, PromptSettings } from "../mapping/panel.ts";
import type { FontMetrics } from "./font-metrics.ts";
import { type PanelButton, type PanelLayout, PanelLayoutBuilder } from "./layout-builder.ts";
import { MEASURES as M, themeOf } from "./theme.ts";

/** Lays out a panel with the font's metrics. */
export function panelLayout(panel: AnyPanelSettings, font: FontMetrics): PanelLayout {
  const builder = new PanelLayoutBuilder(font, themeOf(panel.theme, panel.themeOverride));
  switch (panel.kind) {
    case "card":
      return cardLayout(panel, builder);
    case "prompt":
      return promptLayout(panel, builder);
    case "buttons":
      return builder.framed(panel.buttons, { title: panel.title, vertical: panel.vertical });
    case "keys":
      return builder.keys(panel.rows);
    case "page":
      return builder.page(panel);
  }
}

/** The button at a point of the panel, or `null`. */
export function buttonAt({ buttons }: PanelLayout, x: number, y: number): PanelButton | null {
  return buttons.find((one) => Math.abs(x - one.x) <= one.width / 2 && Math.abs(y - one.y) <= one.height / 2) ?? null;
}

function promptLayout(
  { title, description, buttons, width }: PromptSettings,
  builder: PanelLayoutBuilder,
): PanelLayout {
  const inner = Math.max(width, builder.widest(buttons));
  let y = -M.contentPadding - M.padding;
  y = builder.paragraph(title, { y, size: M.bodySize * M.promptTitleRatio, width: inner, align: "center" });
  if (title !== "") y -= 2 * M.padding;
  y = builder.paragraph(description, { y, size: M.bodySize * M.promptTextRatio, width: inner, align: "center" });
  y -= 2 * M.buttonMargin;
  y = builder.rows(buttons, y, inner);
  return builder.finish(inner + 2 * (M.contentPadding + M.padding), -y + M.contentPadding + M.padding);
}

function cardLayout(card: CardSettings, builder: PanelLayoutBuilder): PanelLayout {
  const { title, body, fontSize, widthScale, textImageRatio, img } = card;
  const textWidth = Math.max(fontSize, (img === "" ? 1 + textImageRatio : textImageRatio) * widthScale);
  const outer = textWidth + 2 * M.contentPadding;
  const pictureWidth = img === "" ? 0 : widthScale;
  const width = outer + pictureWidth + 2 * M.padding;
  const left = card.imgDirection === "left" ? pictureWidth : 0;
  const x = -width / 2 + M.padding + left + outer / 2;
  const top = -M.padding - M.contentPadding;
  let y = builder.paragraph(title, { y: top, x, size: fontSize * M.titleRatio, width: textWidth, align: "center" });
  if (title !== "" && body !== "") y -= M.padding;
  y = builder.paragraph(body, { y, x, size: fontSize, width: textWidth, align: card.bodyAlign });
  const written = -y + M.contentPadding + M.padding;
  const height = Math.max(written, pictureWidth * M.pictureHeightMin + 2 * M.padding);
  // Centres a text shorter than its picture vertically.
  builder.shift((written - height) / 2);
  if (img !== "") {
    const pictureX =
      card.imgDirection === "left" ? -width / 2 + M.padding + pictureWidth / 2 : x + outer / 2 + pictureWidth / 2;
    builder.picture(card, { x: pictureX, y: -height / 2, width: pictureWidth, height: height - 2 * M.padding });
  }
  if (!card.closeButton) return builder.finish(width, height);
  return builder.closed(width, height);
}
