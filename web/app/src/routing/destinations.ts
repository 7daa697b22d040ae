/** Recognises addresses of this realm's scenes, which are opened without a page load. Pure functions. */
import { routeOf, type SceneViewMode } from "./route.ts";

/** A scene and a landmark in it; an empty `landmark` means the scene's start. */
export interface SceneDestination {
  readonly scene: string;
  readonly landmark: string;
}

/** The scene that an address opens; `null` for another host, another page, a query or an invitation. */
export function destinationOf(url: string, origin: string): SceneDestination | null {
  if (!URL.canParse(url, origin)) return null;
  const address = new URL(url, origin);
  if (address.origin !== origin || address.search !== "") return null;
  const route = routeOf(address);
  // An invitation is redeemed at page load, which also removes its secret from the address.
  if (route.page !== "scene" || route.invite !== undefined) return null;
  return { scene: route.scene, landmark: landmarkIn(address.hash) };
}

/**
 * Whether a pressed link opens without a question: only a scene of this realm or a stored file. The realm's other
 * addresses may do something with the user's cookies, and the editors of a scene choose its links.
 */
export function opensUnasked(url: string, origin: string): boolean {
  const address = new URL(url, origin);
  if (address.origin !== origin) return false;
  const route = routeOf(address);
  return address.pathname.startsWith("/store/") || (route.page === "scene" && route.invite === undefined);
}

/** The address of a destination in a view. */
export function addressOf({ scene, landmark }: SceneDestination, view: SceneViewMode = "3d"): string {
  const query = view === "text" ? "?view=text" : "";
  return `/${scene}${query}${landmark === "" ? "" : `#${encodeURIComponent(landmark)}`}`;
}

/** The landmark in a page's address; empty for none. */
export function landmarkIn(hash: string): string {
  return decoded(hash.slice(1));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
