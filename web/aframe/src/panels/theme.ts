/** The two colour themes of panels, and the panels' measures, for which ARENA's scenes are laid out. */
import { bag, color, type JsonObject, within } from "../values.ts";

/** The colours of a panel. */
export interface PanelTheme {
  readonly text: string;
  /** The rim behind everything. */
  readonly textBg: string;
  readonly textBgOpacity: number;
  readonly captionBg: string;
  readonly bg: string;
  readonly bgOpacity: number;
  readonly buttonText: string;
  readonly buttonBg: string;
  readonly buttonBgOpacity: number;
  readonly buttonBgHover: string;
  readonly buttonBgSelected: string;
}

const LIGHT: PanelTheme = {
  text: "#3c3c3c",
  textBg: "#000000",
  textBgOpacity: 0.25,
  captionBg: "#ffffff",
  bg: "#f3f3f3",
  bgOpacity: 0.8,
  buttonText: "#3c3c3c",
  buttonBg: "#ededed",
  buttonBgOpacity: 0.9,
  buttonBgHover: "#d1d1d1",
  buttonBgSelected: "#ffffff",
};

const DARK: PanelTheme = {
  text: "#f0f0f0",
  textBg: "#3d3d3d",
  textBgOpacity: 0.25,
  captionBg: "#ffffff",
  bg: "#3d3d3d",
  bgOpacity: 1,
  buttonText: "#f0f0f0",
  buttonBg: "#2e2e2e",
  buttonBgOpacity: 1,
  buttonBgHover: "#373737",
  buttonBgSelected: "#1f1f1f",
};

/** The replaceable colours, by key. */
const KEYS = Object.keys(LIGHT);

/** A theme with an object's overrides, as a list of pairs or an object. */
export function themeOf(theme: unknown, override: unknown): PanelTheme {
  const own: JsonObject = Array.isArray(override) ? Object.fromEntries(override.filter(isPair)) : (bag(override) ?? {});
  const changed: Record<string, string | number> = {};
  for (const key of KEYS) {
    const value = key.endsWith("Opacity") ? within(own[key], 0, 1) : color(own[key]);
    if (value !== undefined) changed[key] = value;
  }
  return { ...(theme === "dark" ? DARK : LIGHT), ...changed };
}

function isPair(value: unknown): value is readonly [string, unknown] {
  return Array.isArray(value) && typeof value[0] === "string";
}

/** Measures in metres; ratios are unitless. */
export const MEASURES = {
  padding: 0.025,
  contentPadding: 0.1,
  radius: 0.05,
  titleRatio: 1.4,
  bodySize: 0.035,
  promptTitleRatio: 4,
  promptTextRatio: 2,
  buttonSize: 0.075,
  closeSize: 0.04,
  buttonMargin: 0.02,
  buttonPaddingX: 0.075,
  buttonPaddingY: 0.02,
  /** A rim around buttons, so that pale ones contrast with pale backgrounds. */
  buttonRim: 0.008,
  /** Offset of the middle of capital letters from the line's middle, as a share of the size. */
  capitalsRaised: 0.1,
  buttonPicture: 0.3,
  keyWidth: 0.13,
  keyHeight: 0.13,
  pageWidth: 1.46,
  pageHeight: 1.15,
  pageSize: 0.065,
  /** Smallest height of a picture, as a share of its width. */
  pictureHeightMin: 0.45,
} as const;
