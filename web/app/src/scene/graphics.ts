/** How much work the picture may be: a graphics card draws it well, a processor that stands in for one draws it fast. */
import type { Picture } from "../preferences/preferences.ts";

/** Names of renderers that draw on the processor. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Settings of the `a-scene`, by component. */
export type SceneSettings = Readonly<Record<string, string>>;

/** The settings for a picture. On a processor, smooth edges cost as much as all else, soft shadows a quarter of it. */
export function sceneSettings(picture: Exclude<Picture, "auto">): SceneSettings {
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

/** Pixels drawn per pixel of the page, at most. */
export function pixelRatioMax(picture: Exclude<Picture, "auto">): number {
  return picture === "fine" ? 2 : 1;
}

/** What `auto` means on this machine. */
export function pictureOf(picture: Picture, renderer: () => string): Exclude<Picture, "auto"> {
  if (picture !== "auto") return picture;
  return SOFTWARE.test(renderer()) ? "fast" : "fine";
}

/** Whether a scene can be drawn here at all. */
export function canDraw(document: Document): boolean {
  const context = document.createElement("canvas").getContext?.("webgl2") ?? null;
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

/** What draws WebGL here, as the browser names it; empty where it doesn't say. */
export function rendererName(document: Document): string {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext?.("webgl2") ?? null;
  if (context === null) return "";
  const named = context.getExtension("WEBGL_debug_renderer_info");
  const name: unknown = context.getParameter(named?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER);
  // A browser gives a page only so many contexts: this one goes at once.
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return typeof name === "string" ? name : "";
}
