/** Which page an address means. */
import { isName } from "@stoa/client";

/** A page, with what it needs to know. */
export type Route =
  | { readonly page: "home" }
  | { readonly page: "owner"; readonly secret: string }
  | { readonly page: "scene"; readonly scene: string }
  | { readonly page: "missing" };

/** What an address is made of. */
export interface Address {
  readonly pathname: string;
  readonly hash: string;
}

/** Reads an address. */
export function routeOf(address: Address): Route {
  const parts = address.pathname.split("/").filter((part) => part !== "");
  const [first = "", second = ""] = parts;
  if (parts.length === 0) return { page: "home" };
  if (parts.length === 1 && first === "owner") return { page: "owner", secret: address.hash.replace(/^#/, "") };
  if (parts.length === 1 && isName(first)) return { page: "scene", scene: `public/${first}` };
  if (parts.length === 2 && isName(first) && isName(second)) return { page: "scene", scene: `${first}/${second}` };
  return { page: "missing" };
}
