/** Makes the pages' elements known, once. */
import { StoaChat } from "./stoa-chat.ts";
import { StoaEdit } from "./stoa-edit.ts";
import { StoaEnter } from "./stoa-enter.ts";
import { StoaHint } from "./stoa-hint.ts";
import { StoaHome } from "./stoa-home.ts";
import { StoaOverlay } from "./stoa-overlay.ts";
import { StoaOwner } from "./stoa-owner.ts";
import { StoaPad } from "./stoa-pad.ts";
import { StoaPeople } from "./stoa-people.ts";
import { StoaScene } from "./stoa-scene.ts";
import { StoaSettings } from "./stoa-settings.ts";
import { StoaSignIn } from "./stoa-sign-in.ts";
import { StoaStatus } from "./stoa-status.ts";

const ELEMENTS = {
  "stoa-chat": StoaChat,
  "stoa-edit": StoaEdit,
  "stoa-enter": StoaEnter,
  "stoa-hint": StoaHint,
  "stoa-home": StoaHome,
  "stoa-overlay": StoaOverlay,
  "stoa-owner": StoaOwner,
  "stoa-pad": StoaPad,
  "stoa-people": StoaPeople,
  "stoa-scene": StoaScene,
  "stoa-settings": StoaSettings,
  "stoa-sign-in": StoaSignIn,
  "stoa-status": StoaStatus,
} as const;

/** Defines every element; a second call changes nothing. */
export function defineElements(registry: CustomElementRegistry): void {
  for (const [name, element] of Object.entries(ELEMENTS)) {
    if (registry.get(name) === undefined) registry.define(name, element);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "stoa-chat": StoaChat;
    "stoa-edit": StoaEdit;
    "stoa-enter": StoaEnter;
    "stoa-hint": StoaHint;
    "stoa-home": StoaHome;
    "stoa-overlay": StoaOverlay;
    "stoa-owner": StoaOwner;
    "stoa-pad": StoaPad;
    "stoa-people": StoaPeople;
    "stoa-scene": StoaScene;
    "stoa-settings": StoaSettings;
    "stoa-sign-in": StoaSignIn;
    "stoa-status": StoaStatus;
  }
}
