/** Where the pages begin. */
import { Api } from "@stoa/client";
import { defineElements } from "./elements.ts";
import { pageOf } from "./pages/pages.ts";
import { Renewal } from "./pages/version-check.ts";
import { Preferences, showTheme } from "./preferences/preferences.ts";
import { holdsSecret, routeOf } from "./routing/route.ts";
import { language, texts } from "./texts/texts.ts";
import "./styles/theme.css";

document.documentElement.lang = language;
const preferences = new Preferences(localStorage);
showTheme(preferences.theme, document.documentElement);
defineElements(customElements);
const route = routeOf(location);
// A secret must not stay in the address bar, nor in the history.
if (holdsSecret(route)) history.replaceState(null, "", location.pathname + location.search);
// A link with a secret that is opened where its page is open already: only the fragment changes, and the page begins anew with it.
addEventListener("hashchange", () => {
  if (holdsSecret(routeOf(location))) location.reload();
});
if (route.page === "scene") document.title = texts.scene.title(route.scene);
if (route.page === "trust") document.title = texts.trust.page;
const renewal = Renewal.of(document);
document.body.append(
  Object.assign(document.createElement("stoa-renewed"), { renewal }),
  pageOf(route, { api: new Api(location.origin), preferences, renewal }, document),
);

// Only a build has this file: while pages are developed nothing is kept.
addEventListener("load", () => void navigator.serviceWorker?.register("/sw.js").catch(() => undefined));
