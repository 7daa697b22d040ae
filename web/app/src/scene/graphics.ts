/** Picks the graphics quality: the user's choice, else fine on a GPU and fast on a software renderer. */
import type { GraphicsQuality } from "../preferences/preferences.ts";

/** Names of software renderers. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Settings of the `a-scene`, by component. */
export type SceneElementSettings = Readonly<Record<string, string>>;

/**
 * The settings for a quality. On a software renderer, antialiasing costs as much as all else together, and soft shadows
 * a quarter of it.
 */
export function sceneSettings(picture: Exclude<GraphicsQuality, "auto">): SceneElementSettings {
  const fine = picture === "fine";
  return {
    embedded: "",
    "loading-screen": "enabled: false",
    renderer: `antialias: ${fine}; colorManagement: true`,
    shadow: `type: ${fine ? "pcf" : "basic"}`,
    webxr: "optionalFeatures: bounded-floor, hand-tracking, hit-test",
    "xr-mode-ui": "enabled: true; XRMode: xr",
  };
}

/** Upper bound of the device pixel ratio. */
export function pixelRatioMax(picture: Exclude<GraphicsQuality, "auto">): number {
  return picture === "fine" ? 2 : 1;
}

/** Resolves `auto` for this machine. */
export function pictureOf(picture: GraphicsQuality, renderer: () => string): Exclude<GraphicsQuality, "auto"> {
  if (picture !== "auto") return picture;
  return SOFTWARE.test(renderer()) ? "fast" : "fine";
}

/** Whether the browser has WebGL 2. */
export function canDraw(document: Document): boolean {
  const context = document.createElement("canvas").getContext?.("webgl2") ?? null;
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

/** The browser's name of its WebGL renderer; empty if it gives none. */
export function rendererName(document: Document): string {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext?.("webgl2") ?? null;
  if (context === null) return "";
  const named = context.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = context.getParameter(named?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER);
  // A browser limits the number of contexts of a page, so this one is released at once.
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return typeof name === "string" ? name : "";
}
