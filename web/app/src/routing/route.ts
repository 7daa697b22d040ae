/** Maps the address of the browser to a page of the app. */
import { isName } from "@stoa/client";

/** How a scene is shown: drawn in 3D, or as text. */
export type SceneViewMode = "3d" | "text";

/** A page with its parameters. */
export type Route =
  | { readonly page: "home" }
  | { readonly page: "owner"; readonly secret: string }
  | { readonly page: "trust" }
  | { readonly page: "account"; readonly link: AccountLinkInAddress | undefined }
  | { readonly page: "scene"; readonly scene: string; readonly view: SceneViewMode; readonly invite?: string }
  | { readonly page: "missing" };

/** A link that the realm's owner made: it creates an account or sets a password. */
export interface AccountLinkInAddress {
  readonly kind: "join" | "reset";
  readonly secret: string;
}

/** The parts of `Location` that are used. */
export interface LocationParts {
  readonly pathname: string;
  readonly hash: string;
  readonly search?: string;
}

export function routeOf(address: LocationParts): Route {
  const parts = address.pathname.split("/").filter((part) => part !== "");
  const [first = "", second = ""] = parts;
  if (parts.length === 0) return { page: "home" };
  if (parts.length === 1 && first === "owner") return { page: "owner", secret: address.hash.replace(/^#/, "") };
  if (parts.length === 1 && first === "trust") return { page: "trust" };
  if (parts.length === 1 && first === "account") return { page: "account", link: linkIn(address.hash) };
  const view = new URLSearchParams(address.search).get("view") === "text" ? "text" : "3d";
  const invite = secretIn(address.hash, "invite");
  const shown = { view, ...(invite === undefined ? {} : { invite }) } as const;
  if (parts.length === 1 && isName(first)) return { page: "scene", scene: `public/${first}`, ...shown };
  if (parts.length === 2 && isName(first) && isName(second))
    return { page: "scene", scene: `${first}/${second}`, ...shown };
  return { page: "missing" };
}

/** Whether an address contains a secret. */
export function holdsSecret(route: Route): boolean {
  switch (route.page) {
    case "owner":
      return route.secret !== "";
    case "account":
      return route.link !== undefined;
    case "scene":
      return route.invite !== undefined;
    case "home":
    case "missing":
    case "trust":
      return false;
  }
}

function linkIn(hash: string): AccountLinkInAddress | undefined {
  for (const kind of ["join", "reset"] as const) {
    const secret = secretIn(hash, kind);
    if (secret !== undefined) return { kind, secret };
  }
  return undefined;
}

/** The value in a fragment such as `#invite=…`. */
function secretIn(hash: string, name: string): string | undefined {
  const found = new RegExp(`^#${name}=([\\w-]+)$`).exec(hash);
  return found?.[1];
}
