import type { Api } from "@stoa/client";
import type { Preferences } from "./preferences.ts";
import type { Route } from "./route.ts";

/** What every page is given. */
export interface PageParts {
  readonly api: Api;
  readonly preferences: Preferences;
}

/** The element that shows a route. */
export function pageOf(route: Route, parts: PageParts, document: Document): HTMLElement {
  switch (route.page) {
    case "home":
      return Object.assign(document.createElement("stoa-home"), parts);
    case "owner":
      return Object.assign(document.createElement("stoa-owner"), { api: parts.api, secret: route.secret });
    case "scene":
      return Object.assign(document.createElement("stoa-scene"), { ...parts, scene: route.scene });
    case "missing":
      return missing(document);
    default:
      return unreachable(route);
  }
}

function missing(document: Document): HTMLElement {
  const main = document.createElement("main");
  const link = document.createElement("a");
  link.href = "/";
  link.textContent = "See the scenes of this realm";
  const text = document.createElement("p");
  text.append("There is no such page. ", link, ".");
  main.append(text);
  return main;
}

function unreachable(value: never): never {
  throw new Error(`a route that nobody knows: ${JSON.stringify(value)}`);
}
