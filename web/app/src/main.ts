/** Where the pages begin. */
import { Api } from "@stoa/client";
import { defineElements } from "./elements.ts";
import { pageOf } from "./pages.ts";
import { Preferences, showTheme } from "./preferences.ts";
import { routeOf } from "./route.ts";
import "./theme.css";

const preferences = new Preferences(localStorage);
showTheme(preferences.theme, document.documentElement);
defineElements(customElements);
const route = routeOf(location);
// The owner's secret must not stay in the address bar, nor in the history.
if (route.page === "owner") history.replaceState(null, "", location.pathname);
if (route.page === "scene") document.title = `${route.scene} · Stoa`;
document.body.append(pageOf(route, { api: new Api(location.origin), preferences }, document));
