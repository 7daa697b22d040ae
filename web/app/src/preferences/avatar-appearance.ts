/** Parses the user's avatar settings, as stored in this browser. */

export interface AvatarAppearance {
  /** One of {@link LOOK_COLORS}; empty for the random colour in `Preferences.color`. */
  readonly color: string;
  readonly body: "full" | "half";
  /** A path of this realm to a glTF head or a VRM; empty for the built-in body. */
  readonly model: string;
}

/** Selectable colours: each contrasts with white eyes and with the panels of both themes. */
export const LOOK_COLORS = [
  "#d55948",
  "#b87609",
  "#62843a",
  "#20a04e",
  "#139a94",
  "#407bb5",
  "#776bb3",
  "#ca5794",
] as const;

/** The default appearance. */
export const PLAIN_LOOKS: AvatarAppearance = { color: "", body: "full", model: "" };

/** Parses stored settings. Invalid ones give the defaults. */
export function looksOf(text: string): AvatarAppearance {
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return PLAIN_LOOKS;
  }
  if (typeof stored !== "object" || stored === null) return PLAIN_LOOKS;
  const color: unknown = Reflect.get(stored, "color");
  const model: unknown = Reflect.get(stored, "model");
  return {
    color: LOOK_COLORS.find((one) => one === color) ?? "",
    body: Reflect.get(stored, "body") === "half" ? "half" : "full",
    model: typeof model === "string" ? (modelPath(model, location.origin) ?? "") : "",
  };
}

/** The path of a model on this realm, as messages carry it; `null` for any other address. */
export function modelPath(address: string, origin: string): string | null {
  if (address.length > 512 || !URL.canParse(address, origin)) return null;
  const { origin: host, pathname } = new URL(address, origin);
  const isModel = /\.(glb|gltf|vrm)$/i.test(pathname) && pathname.startsWith("/store/");
  return host === origin && isModel ? pathname : null;
}
