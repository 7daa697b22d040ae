/**
 * Takes A-Frame's addresses on other hosts out of it: fonts, the inspector, the Draco decoder, the icon for iOS. Nothing is fetched from
 * anywhere but the realm (and what objects name by themselves). Controller models are not used at all: `stoa-pointer` draws its own.
 */
import type { AFrame } from "../aframe.ts";
import { fontOf } from "./fonts.ts";

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

/** To be called before the first `a-scene` is made. */
export function removeExternalUrls(aframe: AFrame, document: Document): void {
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
