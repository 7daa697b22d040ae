/** Entry point of the pages: picks the page for the route and starts it. */
import { Api } from "@stoa/client";
import { defineElements } from "./elements.ts";
import { pageOf } from "./pages/pages.ts";
import { VersionCheck } from "./pages/version-check.ts";
import { Preferences, showTheme } from "./preferences/preferences.ts";
import { holdsSecret, routeOf } from "./routing/route.ts";
import { language, texts } from "./texts/texts.ts";
import "./styles/theme.css";

document.documentElement.lang = language;
const preferences = new Preferences(localStorage);
showTheme(preferences.theme, document.documentElement);
defineElements(customElements);
const route = routeOf(location);
// A secret must not remain in the address bar or in the history.
if (holdsSecret(route)) history.replaceState(null, "", location.pathname + location.search);
// Opening a link with a secret on a page that is already open changes only the fragment. The page reloads to read it.
addEventListener("hashchange", () => {
  if (holdsSecret(routeOf(location))) location.reload();
});
if (route.page === "scene") document.title = texts.scene.title(route.scene);
if (route.page === "trust") document.title = texts.trust.page;
const versionCheck = VersionCheck.of(document);
document.body.append(
  Object.assign(document.createElement("stoa-renewed"), { versionCheck }),
  pageOf(route, { api: new Api(location.origin), preferences, versionCheck }, document),
);

// Only a build has `sw.js`; in development nothing is cached.
addEventListener("load", () => void navigator.serviceWorker?.register("/sw.js").catch(() => undefined));
