/** Which addresses are scenes of this realm, so that one goes there without loading the page anew. Pure. */
import { routeOf, type View } from "./route.ts";

/** Another scene, and where in it; `landmark` is empty where that scene begins. */
export interface Destination {
  readonly scene: string;
  readonly landmark: string;
}

/** The scene that an address leads to; `null`: it is none of this realm's, or asks for something else than being there. */
export function destinationOf(url: string, origin: string): Destination | null {
  if (!URL.canParse(url, origin)) return null;
  const address = new URL(url, origin);
  if (address.origin !== origin || address.search !== "") return null;
  const route = routeOf(address);
  // An invitation is redeemed as the page begins, which also takes its secret out of the address.
  if (route.page !== "scene" || route.invite !== undefined) return null;
  return { scene: route.scene, landmark: landmarkIn(address.hash) };
}

/** The address of a place, in the view that one is in. */
export function addressOf({ scene, landmark }: Destination, view: View = "3d"): string {
  const query = view === "text" ? "?view=text" : "";
  return `/${scene}${query}${landmark === "" ? "" : `#${encodeURIComponent(landmark)}`}`;
}

/** The landmark in the address of a page; empty: none. */
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
