/** Makes the pages' elements known, once. */
import { StoaAccount } from "./stoa-account.ts";
import { StoaAsk } from "./stoa-ask.ts";
import { StoaCarry } from "./stoa-carry.ts";
import { StoaChat } from "./stoa-chat.ts";
import { StoaComfort } from "./stoa-comfort.ts";
import { StoaEnter } from "./stoa-enter.ts";
import { StoaHint } from "./stoa-hint.ts";
import { StoaHome } from "./stoa-home.ts";
import { StoaInvitations } from "./stoa-invitations.ts";
import { StoaJoin } from "./stoa-join.ts";
import { StoaLoading } from "./stoa-loading.ts";
import { StoaLooks } from "./stoa-looks.ts";
import { StoaModerate } from "./stoa-moderate.ts";
import { StoaNewScene } from "./stoa-new-scene.ts";
import { StoaOverlay } from "./stoa-overlay.ts";
import { StoaOwner } from "./stoa-owner.ts";
import { StoaPad } from "./stoa-pad.ts";
import { StoaPeople } from "./stoa-people.ts";
import { StoaPlaces } from "./stoa-places.ts";
import { StoaReact } from "./stoa-react.ts";
import { StoaRefused } from "./stoa-refused.ts";
import { StoaRenewed } from "./stoa-renewed.ts";
import { StoaScene } from "./stoa-scene.ts";
import { StoaSettings } from "./stoa-settings.ts";
import { StoaShare } from "./stoa-share.ts";
import { StoaSignIn } from "./stoa-sign-in.ts";
import { StoaSignUp } from "./stoa-sign-up.ts";
import { StoaStatus } from "./stoa-status.ts";
import { StoaUndo } from "./stoa-undo.ts";

const ELEMENTS = {
  "stoa-ask": StoaAsk,
  "stoa-carry": StoaCarry,
  "stoa-chat": StoaChat,
  "stoa-comfort": StoaComfort,
  "stoa-enter": StoaEnter,
  "stoa-hint": StoaHint,
  "stoa-home": StoaHome,
  "stoa-looks": StoaLooks,
  "stoa-loading": StoaLoading,
  "stoa-join": StoaJoin,
  "stoa-new-scene": StoaNewScene,
  "stoa-overlay": StoaOverlay,
  "stoa-owner": StoaOwner,
  "stoa-pad": StoaPad,
  "stoa-people": StoaPeople,
  "stoa-react": StoaReact,
  "stoa-places": StoaPlaces,
  "stoa-scene": StoaScene,
  "stoa-account": StoaAccount,
  "stoa-invitations": StoaInvitations,
  "stoa-moderate": StoaModerate,
  "stoa-refused": StoaRefused,
  "stoa-renewed": StoaRenewed,
  "stoa-settings": StoaSettings,
  "stoa-share": StoaShare,
  "stoa-sign-in": StoaSignIn,
  "stoa-sign-up": StoaSignUp,
  "stoa-status": StoaStatus,
  "stoa-undo": StoaUndo,
} as const;

/** Defines every element; a second call changes nothing. */
export function defineElements(registry: CustomElementRegistry): void {
  for (const [name, element] of Object.entries(ELEMENTS)) {
    if (registry.get(name) === undefined) registry.define(name, element);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "stoa-ask": StoaAsk;
    "stoa-chat": StoaChat;
    "stoa-comfort": StoaComfort;
    "stoa-enter": StoaEnter;
    "stoa-hint": StoaHint;
    "stoa-home": StoaHome;
    "stoa-looks": StoaLooks;
    "stoa-loading": StoaLoading;
    "stoa-join": StoaJoin;
    "stoa-overlay": StoaOverlay;
    "stoa-owner": StoaOwner;
    "stoa-pad": StoaPad;
    "stoa-people": StoaPeople;
    "stoa-react": StoaReact;
    "stoa-places": StoaPlaces;
    "stoa-scene": StoaScene;
    "stoa-account": StoaAccount;
    "stoa-invitations": StoaInvitations;
    "stoa-moderate": StoaModerate;
    "stoa-refused": StoaRefused;
    "stoa-renewed": StoaRenewed;
    "stoa-settings": StoaSettings;
    "stoa-share": StoaShare;
    "stoa-sign-in": StoaSignIn;
    "stoa-sign-up": StoaSignUp;
    "stoa-status": StoaStatus;
    "stoa-undo": StoaUndo;
  }
}
