/**
 * Panels beside the scene, in the order of the toolbar: **a new panel is one entry here**, with its label in
 * `texts.overlay.panels` and its icon in `icons.ts`. A rarely used panel has `load`: its script is fetched at the first
 * opening and isn't part of `elements.ts`. An element opens another panel by the event `stoa-panel` with the id of that
 * panel, or closes its own with `null`. It reports unread news by `stoa-heard`.
 */
import type { Api, SceneSession } from "@stoa/client";
import { html, type TemplateResult } from "lit";
import type { Preferences } from "../preferences/preferences.ts";
import type { OwnGestureController } from "../scene/avatar-gestures.ts";
import type { HiddenPeople } from "../scene/hidden-people.ts";
import type { SceneViewController } from "../scene/stage.ts";
import type { IconName } from "../styles/icons.ts";
import { type Texts, texts } from "../texts/texts.ts";
import type { SceneVoice } from "../voice/scene-voice.ts";

export type PanelId = keyof Texts["overlay"]["panels"];

/** The inputs of a panel. */
export interface PanelInputs {
  readonly api: Api | undefined;
  readonly session: SceneSession;
  readonly stage: SceneViewController | undefined;
  readonly preferences: Preferences | undefined;
  readonly voice: SceneVoice | undefined;
  /** Raised hand, beam and reactions. */
  readonly gestures: OwnGestureController;
  /** The people whom this user hid. */
  readonly hiddenPeople: HiddenPeople;
  readonly scene: string;
  /** The selected objects. */
  readonly selected: readonly string[];
  /** Selects objects; an empty list deselects all. */
  readonly choose: (objectIds: readonly string[]) => void;
  /** Whether this panel is open. */
  readonly open: boolean;
}

export interface PanelDeclaration {
  readonly id: PanelId;
  readonly icon: IconName;
  readonly draw: (inputs: PanelInputs) => TemplateResult;
  /** Loads and defines the panel's element before it is first drawn. */
  readonly load?: () => Promise<unknown>;
  /** Whether a session may see the panel; default true. */
  readonly may?: (session: SceneSession) => boolean;
  /** The lower-case key that opens and closes the panel from the scene. */
  readonly key?: string;
  /** The panel's heading, if that differs from its label. */
  readonly title?: (session: SceneSession) => string;
  /** A number at the panel's label, shown instead of the number of unread news. */
  readonly count?: (session: SceneSession) => number;
  /** Whether the panel stays in the DOM while closed, to continue receiving chat or uploading. */
  readonly stays?: boolean;
  /** Whether objects can be selected and moved in the scene while the panel is open. */
  readonly edits?: boolean;
}

/** All panels, in the order of the toolbar. */
export const PANELS: readonly PanelDeclaration[] = [
  {
    id: "people",
    icon: "people",
    title: ({ people }) => texts.people.hereNow(people.size + 1),
    count: ({ people }) => people.size + 1,
    draw: ({ api, session, stage, voice, hiddenPeople, scene }) => html`<stoa-people
      .api=${api}
      .session=${session}
      .voice=${voice}
      .stage=${stage}
      .hiddenPeople=${hiddenPeople}
      .scene=${scene}
    ></stoa-people>`,
  },
  {
    id: "chat",
    icon: "chat",
    stays: true,
    draw: ({ session, hiddenPeople }) => html`<stoa-chat
      .session=${session}
      .hiddenPeople=${hiddenPeople}
    ></stoa-chat>`,
  },
  {
    id: "reactions",
    icon: "reactions",
    draw: ({ gestures }) => html`<stoa-react
      .gestures=${gestures}
      ?raised=${gestures.isHandRaised}
      ?pointing=${gestures.isPointing}
    ></stoa-react>`,
  },
  {
    id: "edit",
    icon: "edit",
    key: "b",
    edits: true,
    may: ({ me }) => me.mayBuild,
    // Uploads continue while another panel is open.
    stays: true,
    load: () => import("../editor/index.ts").then(({ defineEditor }) => defineEditor(customElements)),
    draw: ({ api, session, selected, stage, preferences, scene, choose, open }) => html`<stoa-edit
      .active=${open}
      .api=${api}
      .session=${session}
      .stage=${stage}
      .preferences=${preferences}
      .scene=${scene}
      .selected=${selected}
      @stoa-choose=${(event: CustomEvent<readonly string[]>) => {
        // The overlay emits the event once for the whole page.
        event.stopPropagation();
        choose(event.detail);
      }}
    ></stoa-edit>`,
  },
  {
    id: "history",
    icon: "history",
    load: async () => {
      const { StoaHistoryPanel } = await import("./stoa-history.ts");
      if (customElements.get("stoa-history") === undefined) customElements.define("stoa-history", StoaHistoryPanel);
    },
    may: ({ me }) => me.mayBuild,
    draw: ({ session }) => html`<stoa-history .session=${session}></stoa-history>`,
  },
  {
    id: "places",
    icon: "places",
    draw: ({ session, stage }) => html`<stoa-places .session=${session} .stage=${stage}></stoa-places>`,
  },
  {
    id: "share",
    icon: "share",
    draw: ({ api, session, stage, scene }) => html`<stoa-share
      .api=${api}
      .session=${session}
      .stage=${stage}
      .scene=${scene}
    ></stoa-share>`,
  },
  {
    id: "voice",
    icon: "microphone",
    load: async () => {
      const { StoaVoicePanel } = await import("../voice/stoa-voice.ts");
      if (customElements.get("stoa-voice") === undefined) customElements.define("stoa-voice", StoaVoicePanel);
    },
    may: ({ voices }) => voices.rights?.speak === true,
    draw: ({ voice, preferences }) => html`<stoa-voice .voice=${voice} .preferences=${preferences}></stoa-voice>`,
  },
  {
    id: "settings",
    icon: "settings",
    draw: ({ api, session, stage, preferences, scene }) => html`<stoa-settings
      .api=${api}
      .session=${session}
      .stage=${stage}
      .preferences=${preferences}
      .scene=${scene}
    ></stoa-settings>`,
  },
  {
    id: "help",
    icon: "help",
    load: async () => {
      const { StoaHelpPanel } = await import("./stoa-help.ts");
      if (customElements.get("stoa-help") === undefined) customElements.define("stoa-help", StoaHelpPanel);
    },
    draw: ({ scene }) => html`<stoa-help .scene=${scene}></stoa-help>`,
  },
];
