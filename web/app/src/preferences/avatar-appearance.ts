/** How somebody looks to the others, as this browser remembers it. */

/** One's looks. */
export interface AvatarAppearance {
  /** One of {@link LOOK_COLORS}; empty: the one that this browser drew (`Preferences.color`). */
  readonly color: string;
  readonly body: "full" | "half";
  /** A path of this realm to a glTF head or a VRM; empty: the built-in body. */
  readonly model: string;
}

/** What is chosen from: they stand out from white eyes and from both themes' panels. */
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

/** Who chose nothing. */
export const PLAIN_LOOKS: AvatarAppearance = { color: "", body: "full", model: "" };

/** What was remembered; what isn't as it should be is as if nothing was chosen. */
export function looksOf(text: string): AvatarAppearance {
  let told: unknown;
  try {
    told = JSON.parse(text);
  } catch {
    return PLAIN_LOOKS;
  }
  if (typeof told !== "object" || told === null) return PLAIN_LOOKS;
  const color: unknown = Reflect.get(told, "color");
  const model: unknown = Reflect.get(told, "model");
  return {
    color: LOOK_COLORS.find((one) => one === color) ?? "",
    body: Reflect.get(told, "body") === "half" ? "half" : "full",
    model: typeof model === "string" ? (modelPath(model, location.origin) ?? "") : "",
  };
}

/** The path of a model that this realm serves, as messages carry it; `null`: it is none, or elsewhere. */
export function modelPath(address: string, origin: string): string | null {
  if (address.length > 512 || !URL.canParse(address, origin)) return null;
  const { origin: host, pathname } = new URL(address, origin);
  const isModel = /\.(glb|gltf|vrm)$/i.test(pathname) && pathname.startsWith("/store/");
  return host === origin && isModel ? pathname : null;
}
