import { expect, test } from "vitest";
import { BUTTONS_MAX } from "../../src/limits.ts";
import { type PanelSettings, panelSettings } from "../../src/mapping/panel.ts";
import { buttonAt, panelLayout } from "../../src/panels/layout.ts";
import type { Box, PanelLayout } from "../../src/panels/layout-builder.ts";
import { roboto } from "./roboto.ts";

const BASE = "https://realm.local/public/lobby";

type Type = Parameters<typeof panelSettings>[0];

function laid(type: Type, attributes: Record<string, unknown>): PanelLayout {
  const { panel } = panelSettings(type, attributes, BASE);
  return panelLayout(panel as PanelSettings, roboto);
}

const inside = (outer: PanelLayout, box: Box): boolean =>
  Math.abs(box.x) + box.width / 2 <= outer.width / 2 + 0.01 &&
  Math.abs(box.y) + box.height / 2 <= outer.height / 2 + 0.01;

test("a prompt without buttons gets Confirm and Cancel, side by side on the panel", () => {
  const prompt = laid("arenaui-prompt", { title: "Leave?" });
  expect(prompt.buttons.map(({ name, index }) => [name, index])).toEqual([
    ["Confirm", 0],
    ["Cancel", 1],
  ]);
  const [first, second] = prompt.buttons;
  expect((first?.x ?? 0) + (first?.width ?? 0) / 2).toBeLessThan((second?.x ?? 0) - (second?.width ?? 0) / 2);
  for (const button of prompt.buttons) expect(inside(prompt, button)).toBe(true);
});

test("buttons that don't fit a prompt's width wrap into more rows", () => {
  const buttons = Array.from({ length: 12 }, (_, at) => `Answer ${at}`);
  const prompt = laid("arenaui-prompt", { buttons, width: 1 });
  expect(new Set(prompt.buttons.map(({ y }) => y.toFixed(3))).size).toBeGreaterThan(3);
  for (const button of prompt.buttons) expect(inside(prompt, button)).toBe(true);
});

test("a button panel is laid out vertically or horizontally", () => {
  const buttons = [{ name: "Up" }, "Down"];
  const upright = laid("arenaui-button-panel", { buttons, vertical: true, title: "Lift" });
  expect(upright.buttons[0]?.y).toBeGreaterThan(upright.buttons[1]?.y ?? 0);
  expect(upright.buttons[0]?.width).toBe(upright.buttons[1]?.width);
  const lying = laid("arenaui-button-panel", { buttons });
  expect(lying.buttons[0]?.y).toBe(lying.buttons[1]?.y);
});

test("the button under a point is found, and none between two", () => {
  const panel = laid("arenaui-button-panel", { buttons: ["A", "B"] });
  const [a, b] = panel.buttons;
  expect(buttonAt(panel, a?.x ?? 9, a?.y ?? 9)?.name).toBe("A");
  expect(buttonAt(panel, ((a?.x ?? 0) + (a?.width ?? 0) / 2 + (b?.x ?? 0) - (b?.width ?? 0) / 2) / 2, 0)).toBeNull();
});

test("a card's picture is next to its text, on the side set by imgDirection", () => {
  const card = (imgDirection: string) =>
    laid("arenaui-card", { title: "Title", body: "Some words.", img: "/store/cat.png", imgDirection });
  expect(card("left").pictures[0]?.x).toBeLessThan(card("left").lines[0]?.x ?? 0);
  expect(card("right").pictures[0]?.x).toBeGreaterThan(card("right").lines[0]?.x ?? 0);
  expect(card("left").pictures[0]?.url).toBe("https://realm.local/store/cat.png");
  expect(laid("arenaui-card", { img: "javascript:alert(1)" }).pictures).toEqual([]);
});

test("a closable card has a Close button without an index", () => {
  const card = laid("arenaui-card", { title: "Hi", closeButton: true });
  expect(card.buttons.map(({ name, index }) => [name, index])).toEqual([["Close", null]]);
  expect(inside(card, card.buttons[0] ?? { x: 9, y: 9, width: 9, height: 9 })).toBe(true);
  expect(laid("arenaui-card", { title: "Hi" }).buttons).toEqual([]);
});

test("a longer text makes a higher card, and a justified one fills its lines", () => {
  const card = (body: string, bodyAlign = "left") => laid("arenaui-card", { body, bodyAlign });
  expect(card("word ".repeat(200)).height).toBeGreaterThan(card("word").height);
  const lines = card("word ".repeat(200), "justify").lines;
  expect(lines[0]?.blank).toBeGreaterThan(0);
  expect(lines.at(-1)?.blank).toBe(0);
});

test("colours come from the theme, and an object may replace some; nonsense replaces nothing", () => {
  expect(laid("arenaui-card", { theme: "dark" }).look.text).toBe("#f0f0f0");
  expect(laid("arenaui-card", { themeOverride: [["bg", "#ff0000"]] }).look.bg).toBe("#ff0000");
  expect(laid("arenaui-card", { themeOverride: { bg: "url(x)", bgOpacity: 7 } }).look).toMatchObject({
    bg: "#f3f3f3",
    bgOpacity: 1,
  });
});

test("a hostile panel stays within bounds", () => {
  const buttons = [...Array.from({ length: 1_000 }, () => "B".repeat(10_000)), null, { name: {} }];
  const panel = laid("arenaui-button-panel", { buttons });
  expect(panel.buttons.length).toBe(BUTTONS_MAX);
  expect(panel.buttons.every(({ name }) => name.length <= 200)).toBe(true);
  expect(laid("arenaui-card", { fontSize: 1e9, widthScale: 1e9, body: "x" }).width).toBeLessThan(50);
});

test("keys are laid out in rows on the panel and don't overlap", () => {
  const row = (names: string, width = 1) => [...names].map((name) => ({ name, width }));
  const look = { font: "Roboto", theme: "dark", themeOverride: [], materialSides: "both", title: "" };
  const keys = panelLayout({ ...look, kind: "keys", rows: [row("qwe"), row("a", 1.5)] }, roboto);
  expect(keys.buttons.map(({ name, index }) => [name, index])).toEqual([
    ["q", 0],
    ["w", 1],
    ["e", 2],
    ["a", 3],
  ]);
  for (const button of keys.buttons) expect(inside(keys, button)).toBe(true);
  const overlaps = keys.buttons.flatMap((one, at) =>
    keys.buttons.slice(at + 1).filter(({ x, y, width, height }) => {
      return Math.abs(x - one.x) < (width + one.width) / 2 && Math.abs(y - one.y) < (height + one.height) / 2;
    }),
  );
  expect(overlaps).toEqual([]);
});

test("a page shows the newest lines that fit and the end of the typed text, within its borders", () => {
  const look = { font: "Roboto", theme: "dark", themeOverride: [], materialSides: "both", title: "Chat" };
  const lines = Array.from({ length: 40 }, (_, at) => `Ada: line ${at}`);
  const written = `${"word ".repeat(60)}end`;
  const page = panelLayout({ ...look, kind: "page", lines, written }, roboto);
  const texts = page.lines.map(({ text }) => text);
  expect(texts[0]).toBe("Chat");
  expect(texts).toContain("Ada: line 39");
  expect(texts).not.toContain("Ada: line 0");
  expect(texts.at(-1)).toMatch(/end_$/);
  const ys = page.lines.map(({ y }) => y);
  expect(ys).toEqual([...ys].sort((a, b) => b - a));
  for (const { x, y } of page.lines) expect(inside(page, { x, y, width: 0, height: 0 })).toBe(true);
  const empty = panelLayout({ ...look, kind: "page", lines: [], written: "" }, roboto);
  expect([empty.height, empty.lines.map(({ text }) => text)]).toEqual([page.height, ["Chat", "_"]]);
});
