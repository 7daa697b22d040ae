/** The realm's fonts, and the mapping from ARENA's font names. */

/** A font: the URLs of its metrics and atlas. */
export interface FontFileUrls {
  readonly metrics: string;
  readonly atlas: string;
}

const roboto: FontFileUrls = {
  metrics: new URL("../../assets/fonts/Roboto-sdf.json", import.meta.url).href,
  atlas: new URL("../../assets/fonts/Roboto-sdf.png", import.meta.url).href,
};

const dejavuMono: FontFileUrls = {
  metrics: new URL("../../assets/fonts/DejaVuSansMono-sdf.json", import.meta.url).href,
  atlas: new URL("../../assets/fonts/DejaVuSansMono-sdf.png", import.meta.url).href,
};

const monospaced: readonly unknown[] = ["monoid", "sourcecodepro", "Roboto-Mono"];

/** The font for one of ARENA's names; Roboto if the realm has no such font. */
export function fontOf(name: unknown): FontFileUrls {
  return monospaced.includes(name) ? dejavuMono : roboto;
}
