/** Creates the element of the page for a route; the certificate page loads on demand. */
import type { Api } from "@stoa/client";
import type { Preferences } from "../preferences/preferences.ts";
import type { Route } from "../routing/route.ts";
import { texts } from "../texts/texts.ts";
import type { VersionCheck } from "./version-check.ts";

/** The inputs of the pages; each page gets those that it uses. */
export interface PageInputs {
  readonly api: Api;
  readonly preferences: Preferences;
  readonly versionCheck?: VersionCheck;
}

/** The element that shows a route. */
export function pageOf(route: Route, inputs: PageInputs, document: Document): HTMLElement {
  switch (route.page) {
    case "home":
      return Object.assign(document.createElement("stoa-home"), inputs);
    case "owner":
      return Object.assign(document.createElement("stoa-owner"), { api: inputs.api, secret: route.secret });
    case "account":
      return Object.assign(document.createElement("stoa-account"), { api: inputs.api, link: route.link });
    case "scene":
      return Object.assign(document.createElement("stoa-scene"), {
        ...inputs,
        scene: route.scene,
        view: route.view,
        invite: route.invite ?? "",
      });
    case "trust":
      return trust(inputs, document);
    case "missing":
      return missing(document);
    default:
      return unreachable(route);
  }
}

/** Creates the certificate page. Few users need it, so its script is loaded on demand. */
function trust({ api }: PageInputs, document: Document): HTMLElement {
  const page = Object.assign(document.createElement("stoa-trust"), { api });
  import("./stoa-trust.ts").then(
    ({ StoaCertificatePage }) => {
      if (customElements.get("stoa-trust") === undefined) customElements.define("stoa-trust", StoaCertificatePage);
    },
    () => {
      const main = document.createElement("main");
      const said = document.createElement("p");
      said.setAttribute("role", "alert");
      said.textContent = texts.overlay.notLoaded(texts.trust.title);
      main.append(said);
      page.append(main);
    },
  );
  return page;
}

function missing(document: Document): HTMLElement {
  const main = document.createElement("main");
  const link = document.createElement("a");
  link.href = "/";
  link.textContent = texts.missing.home;
  const text = document.createElement("p");
  text.append(texts.missing.said, " ", link);
  main.append(text);
  return main;
}

function unreachable(value: never): never {
  throw new Error(`unknown route: ${JSON.stringify(value)}`);
}
