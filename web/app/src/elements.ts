/** Registers the pages' custom elements. */
import { StoaAccount } from "./pages/stoa-account.ts";
import { StoaEnter } from "./pages/stoa-enter.ts";
import { StoaHome } from "./pages/stoa-home.ts";
import { StoaNewScene } from "./pages/stoa-new-scene.ts";
import { StoaOwner } from "./pages/stoa-owner.ts";
import { StoaRefused } from "./pages/stoa-refused.ts";
import { StoaRenewed } from "./pages/stoa-renewed.ts";
import { StoaScene } from "./pages/stoa-scene.ts";
import { StoaSignIn } from "./pages/stoa-sign-in.ts";
import { StoaSignUp } from "./pages/stoa-sign-up.ts";
import { StoaCarry } from "./panels/stoa-carry.ts";
import { StoaChat } from "./panels/stoa-chat.ts";
import { StoaComfort } from "./panels/stoa-comfort.ts";
import { StoaInvitations } from "./panels/stoa-invitations.ts";
import { StoaJoin } from "./panels/stoa-join.ts";
import { StoaLooks } from "./panels/stoa-looks.ts";
import { StoaModerate } from "./panels/stoa-moderate.ts";
import { StoaOverlay } from "./panels/stoa-overlay.ts";
import { StoaPeople } from "./panels/stoa-people.ts";
import { StoaPlaces } from "./panels/stoa-places.ts";
import { StoaReact } from "./panels/stoa-react.ts";
import { StoaSettings } from "./panels/stoa-settings.ts";
import { StoaShare } from "./panels/stoa-share.ts";
import { StoaUndo } from "./panels/stoa-undo.ts";
import { StoaAsk } from "./scene/stoa-ask.ts";
import { StoaHint } from "./scene/stoa-hint.ts";
import { StoaLoading } from "./scene/stoa-loading.ts";
import { StoaPad } from "./scene/stoa-pad.ts";
import { StoaStatus } from "./scene/stoa-status.ts";

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

/** Defines every element. A second call changes nothing. */
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
