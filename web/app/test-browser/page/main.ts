/** The pages without a realm, for the test that drives them: `?view=home|enter|scene|refused|owner`. */
import { Api, RefusedError } from "@stoa/client";
import { defineElements } from "../../src/elements.ts";
import { pageOf } from "../../src/pages.ts";
import { Preferences, showTheme, type Theme } from "../../src/preferences.ts";
import type { Stage } from "../../src/stage.ts";
import { StoaScene } from "../../src/stoa-scene.ts";
import { FakeSession, person } from "../../test/support/fake-session.ts";
import "../../src/theme.css";

const ANSWERS: Readonly<Record<string, unknown>> = {
  // The owner link is good as long as nobody owns the realm.
  "/api/v1/me": { username: null, owner: false, owner_exists: !location.search.includes("view=owner") },
  "/api/v1/scenes": [{ namespace: "public", scene: "lobby", role: "viewer", people: 1 }],
  "/api/v1/scenes/public/lobby": {
    owner: "ada",
    public_read: true,
    public_write: false,
    anonymous_users: true,
    users: true,
    video_conference: false,
    editors: [],
    viewers: [],
  },
};
const ROUTES = {
  home: { page: "home" },
  enter: { page: "scene", scene: "public/lobby" },
  scene: { page: "scene", scene: "public/lobby" },
  refused: { page: "scene", scene: "public/lobby" },
  owner: { page: "owner", secret: "s3cret" },
} as const;

const api = new Api(location.origin, (url) => Promise.resolve(Response.json(ANSWERS[new URL(url).pathname] ?? {})));
const stage: Stage = {
  dispose: () => undefined,
  select: () => undefined,
  setEditMode: () => undefined,
  setMove: () => undefined,
  placeAhead: () => ({ x: 0, y: 0, z: 0 }),
};

function scene(): FakeSession {
  const session = new FakeSession();
  session.me = { ...session.me, role: "owner" };
  session.people.set("bob", person("bob", "Bob"));
  const attributes = { object_type: "box", position: { x: 0, y: 1, z: 0 } };
  session.objects.set("lamp", { objectId: "lamp", type: "object", attributes, persist: true });
  return session;
}

function wordOf<Word extends string>(key: string, words: readonly Word[], fallback: Word): Word {
  const given = new URLSearchParams(location.search).get(key);
  return words.find((word) => word === given) ?? fallback;
}

const view = wordOf("view", Object.keys(ROUTES) as (keyof typeof ROUTES)[], "home");
const preferences = new Preferences(localStorage);
preferences.name = view === "scene" || view === "refused" ? "Ada" : "";
showTheme(wordOf<Theme>("theme", ["light", "dark"], "light"), document.documentElement);
defineElements(customElements);
const page = pageOf(ROUTES[view], { api, preferences }, document);
if (page instanceof StoaScene) {
  page.enter = () =>
    view === "refused" ? Promise.reject(new RefusedError("guests may not enter")) : Promise.resolve(scene());
  page.raise = () => Promise.resolve(stage);
}
document.body.append(page);
