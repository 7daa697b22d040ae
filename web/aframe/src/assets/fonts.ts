/** The fonts of the realm, and which of them stands for each of ARENA's names. */

/** One font: its metrics and its atlas. */
export interface Font {
  readonly metrics: string;
  readonly atlas: string;
}

const roboto: Font = {
  metrics: new URL("../../assets/fonts/Roboto-sdf.json", import.meta.url).href,
  atlas: new URL("../../assets/fonts/Roboto-sdf.png", import.meta.url).href,
};

const dejavuMono: Font = {
  metrics: new URL("../../assets/fonts/DejaVuSansMono-sdf.json", import.meta.url).href,
  atlas: new URL("../../assets/fonts/DejaVuSansMono-sdf.png", import.meta.url).href,
};

const monospaced: readonly unknown[] = ["monoid", "sourcecodepro", "Roboto-Mono"];

/** The font for one of ARENA's names; whatever has no font of its own here is shown in Roboto. */
export function fontOf(name: unknown): Font {
  return monospaced.includes(name) ? dejavuMono : roboto;
}
