/** Registers the pages' custom elements. Chunks that load on demand register their own. */
import { StoaAccountPage } from "./pages/stoa-account.ts";
import { StoaNameForm } from "./pages/stoa-enter.ts";
import { StoaHomePage } from "./pages/stoa-home.ts";
import { StoaNewSceneForm } from "./pages/stoa-new-scene.ts";
import { StoaFirstAccountPage } from "./pages/stoa-owner.ts";
import { StoaRefusalPage } from "./pages/stoa-refused.ts";
import { StoaNewVersionNotice } from "./pages/stoa-renewed.ts";
import { StoaScenePage } from "./pages/stoa-scene.ts";
import { StoaSignInForm } from "./pages/stoa-sign-in.ts";
import { StoaSignUpForm } from "./pages/stoa-sign-up.ts";
import { StoaSceneTransferPanel } from "./panels/stoa-carry.ts";
import { StoaChatPanel } from "./panels/stoa-chat.ts";
import { StoaComfortSettings } from "./panels/stoa-comfort.ts";
import { StoaInvitationsPanel } from "./panels/stoa-invitations.ts";
import { StoaOtherDevicePanel } from "./panels/stoa-join.ts";
import { StoaAvatarSettings } from "./panels/stoa-looks.ts";
import { StoaModerationPanel } from "./panels/stoa-moderate.ts";
import { StoaSceneOverlay } from "./panels/stoa-overlay.ts";
import { StoaPeoplePanel } from "./panels/stoa-people.ts";
import { StoaLandmarksPanel } from "./panels/stoa-places.ts";
import { StoaReactionButtons } from "./panels/stoa-react.ts";
import { StoaSettingsPanel } from "./panels/stoa-settings.ts";
import { StoaShareLinkPanel } from "./panels/stoa-share.ts";
import { StoaUndoButtons } from "./panels/stoa-undo.ts";
import { StoaQuestionDialog } from "./scene/stoa-ask.ts";
import { StoaMovementHint } from "./scene/stoa-hint.ts";
import { StoaLoadingProgress } from "./scene/stoa-loading.ts";
import { StoaWalkingPad } from "./scene/stoa-pad.ts";
import { StoaConnectionStatus } from "./scene/stoa-status.ts";

const ELEMENTS = {
  "stoa-ask": StoaQuestionDialog,
  "stoa-carry": StoaSceneTransferPanel,
  "stoa-chat": StoaChatPanel,
  "stoa-comfort": StoaComfortSettings,
  "stoa-enter": StoaNameForm,
  "stoa-hint": StoaMovementHint,
  "stoa-home": StoaHomePage,
  "stoa-looks": StoaAvatarSettings,
  "stoa-loading": StoaLoadingProgress,
  "stoa-join": StoaOtherDevicePanel,
  "stoa-new-scene": StoaNewSceneForm,
  "stoa-overlay": StoaSceneOverlay,
  "stoa-owner": StoaFirstAccountPage,
  "stoa-pad": StoaWalkingPad,
  "stoa-people": StoaPeoplePanel,
  "stoa-react": StoaReactionButtons,
  "stoa-places": StoaLandmarksPanel,
  "stoa-scene": StoaScenePage,
  "stoa-account": StoaAccountPage,
  "stoa-invitations": StoaInvitationsPanel,
  "stoa-moderate": StoaModerationPanel,
  "stoa-refused": StoaRefusalPage,
  "stoa-renewed": StoaNewVersionNotice,
  "stoa-settings": StoaSettingsPanel,
  "stoa-share": StoaShareLinkPanel,
  "stoa-sign-in": StoaSignInForm,
  "stoa-sign-up": StoaSignUpForm,
  "stoa-status": StoaConnectionStatus,
  "stoa-undo": StoaUndoButtons,
} as const;

/** Defines every element. A second call changes nothing. */
export function defineElements(registry: CustomElementRegistry): void {
  for (const [name, element] of Object.entries(ELEMENTS)) {
    if (registry.get(name) === undefined) registry.define(name, element);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "stoa-ask": StoaQuestionDialog;
    "stoa-chat": StoaChatPanel;
    "stoa-comfort": StoaComfortSettings;
    "stoa-enter": StoaNameForm;
    "stoa-hint": StoaMovementHint;
    "stoa-home": StoaHomePage;
    "stoa-looks": StoaAvatarSettings;
    "stoa-loading": StoaLoadingProgress;
    "stoa-join": StoaOtherDevicePanel;
    "stoa-overlay": StoaSceneOverlay;
    "stoa-owner": StoaFirstAccountPage;
    "stoa-pad": StoaWalkingPad;
    "stoa-people": StoaPeoplePanel;
    "stoa-react": StoaReactionButtons;
    "stoa-places": StoaLandmarksPanel;
    "stoa-scene": StoaScenePage;
    "stoa-account": StoaAccountPage;
    "stoa-invitations": StoaInvitationsPanel;
    "stoa-moderate": StoaModerationPanel;
    "stoa-refused": StoaRefusalPage;
    "stoa-renewed": StoaNewVersionNotice;
    "stoa-settings": StoaSettingsPanel;
    "stoa-share": StoaShareLinkPanel;
    "stoa-sign-in": StoaSignInForm;
    "stoa-sign-up": StoaSignUpForm;
    "stoa-status": StoaConnectionStatus;
    "stoa-undo": StoaUndoButtons;
  }
}
