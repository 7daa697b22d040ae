/** The pages without a realm, for the accessibility tests: `?view=home|scenes|enter|scene|text|trust|refused|owner`. */
import { Api, type Attributes, IDLE, RefusedError } from "@stoa/client";
import { defineElements } from "../../src/elements.ts";
import { pageOf } from "../../src/pages/pages.ts";
import { StoaScenePage } from "../../src/pages/stoa-scene.ts";
import { Preferences, showTheme, type Theme } from "../../src/preferences/preferences.ts";
import { FakeSession, person } from "../../test/support/fake-session.ts";
import { fakeStage } from "../../test/support/fake-stage.ts";
import { silentVoice } from "./silent-engine.ts";
import "../../src/styles/theme.css";

const ANSWERS: Readonly<Record<string, unknown>> = {
  // The owner link is valid while the realm has no owner.
  "/api/v1/me": {
    // The list of scenes as their owner sees it.
    username: location.search.includes("view=scenes") ? "ada" : null,
    owner: location.search.includes("view=scenes"),
    network: "https://192.168.1.7:8443",
    owner_exists: !location.search.includes("view=owner"),
  },
  "/api/v1/scenes": [
    {
      namespace: "public",
      scene: "lobby",
      role: location.search.includes("view=scenes") ? "owner" : "viewer",
      people: 1,
    },
  ],
  "/api/v1/scenes/public/lobby/moderation": { locked: false, bars: [] },
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
  scenes: { page: "home" },
  enter: { page: "scene", scene: "public/lobby", view: "3d" },
  scene: { page: "scene", scene: "public/lobby", view: "3d" },
  text: { page: "scene", scene: "public/lobby", view: "text" },
  refused: { page: "scene", scene: "public/lobby", view: "3d" },
  trust: { page: "trust" },
  owner: { page: "owner", secret: "s3cret" },
} as const;

const api = new Api(location.origin, (url) => Promise.resolve(Response.json(ANSWERS[new URL(url).pathname] ?? {})));
const stage = fakeStage();

function scene(): FakeSession {
  const session = new FakeSession();
  session.me = { ...session.me, role: "owner", guest: false };
  session.motion.onFlowRights({ speak: true, hear: true });
  session.people.set("bob", { ...person("bob", "Bob"), pose: { position: [2, 1.6, -3], rotation: [0, 0, 0, 1] } });
  session.people.set("cy", { ...person("cy", "Cy"), hasAudio: true, doing: { ...IDLE, handRaised: true } });
  const objects: Readonly<Record<string, Attributes>> = {
    lamp: {
      object_type: "box",
      position: { x: 0, y: 1, z: 0 },
      material: { color: "#ffd166" },
      "click-listener": true,
    },
    door: { object_type: "cone", position: { x: -6, y: 0, z: -4 }, landmark: { label: "Garden door" } },
    rules: { object_type: "arenaui-card", position: { x: 3, y: 2, z: -2 }, title: "Rules", body: "Be kind.\nShare." },
    vote: { object_type: "arenaui-prompt", title: "Ready?", description: "We begin.", buttons: ["Yes", "No"] },
    bench: { object_type: "box", position: { x: -2, y: 0, z: -2 }, seat: true },
    gate: { object_type: "torus", position: { x: 0, y: 5, z: -9 }, portal: { scene: "public/sandbox" } },
  };
  for (const [objectId, attributes] of Object.entries(objects))
    session.objects.set(objectId, { objectId, type: "object", attributes, persist: true });
  return session;
}

function wordOf<Word extends string>(key: string, words: readonly Word[], fallback: Word): Word {
  const given = new URLSearchParams(location.search).get(key);
  return words.find((word) => word === given) ?? fallback;
}

const view = wordOf("view", Object.keys(ROUTES) as (keyof typeof ROUTES)[], "home");
const preferences = new Preferences(localStorage);
preferences.name = ["scene", "text"].includes(view) || view === "refused" ? "Ada" : "";
showTheme(wordOf<Theme>("theme", ["light", "dark"], "light"), document.documentElement);
defineElements(customElements);
const page = pageOf(ROUTES[view], { api, preferences }, document);
if (page instanceof StoaScenePage) {
  page.enter = () =>
    view === "refused" ? Promise.reject(new RefusedError("guests may not enter")) : Promise.resolve(scene());
  page.showStage = () => Promise.resolve(stage);
  page.loadVoice = silentVoice(["bob"]);
}
document.body.append(page);
