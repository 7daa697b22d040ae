/**
 * Removes A-Frame's URLs on other hosts: fonts, the inspector, the Draco decoder, the iOS icon. The page loads only
 * from the realm and from URLs in objects. Controller models aren't used: `stoa-pointer` draws its own.
 */
import type { AFrameAdapter } from "../aframe.ts";
import { fontOf } from "./fonts.ts";

/** A-Frame's font names, each with a URL on another host; `fontOf` gives the realm's font instead. */
const STOCK_FONTS: readonly unknown[] = [
  "aileronsemibold",
  "dejavu",
  "exo2bold",
  "exo2semibold",
  "kelsonsans",
  "monoid",
  "mozillavr",
  "roboto",
  "sourcecodepro",
];

/** Removes A-Frame's URLs on other hosts. Call this function before the page creates an `a-scene`. */
export function removeExternalUrls(aframe: AFrameAdapter, document: Document): void {
  aframe.replaceMethod("text", "lookupFont", (name) => (STOCK_FONTS.includes(name) ? fontOf(name).metrics : undefined));
  aframe.replaceMethod("inspector", "openInspector", () => undefined);
  aframe.replaceSystemDefault("gltf-model", "dracoDecoderPath", "");
  if (!document.querySelector('link[rel="apple-touch-icon"]')) {
    const icon = document.createElement("link");
    icon.rel = "apple-touch-icon";
    icon.href = "data:,";
    document.head.append(icon);
  }
}
