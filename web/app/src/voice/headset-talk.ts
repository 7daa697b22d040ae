/** The entry for the own voice in the menu of VR and AR. */
import type { MenuEntry } from "@stoa/aframe";
import { texts } from "../texts/texts.ts";
import type { SceneVoice } from "./scene-voice.ts";

/**
 * One entry that starts talking, then mutes and unmutes; none without the right to speak. An entry can't be held, so it
 * mutes and unmutes in the mode `push` too.
 */
export function talkEntries(voice: SceneVoice | undefined): readonly MenuEntry[] {
  if (voice?.rights?.speak !== true) return [];
  return [{ label: labelOf(voice), run: () => voice.toggle() }];
}

function labelOf({ talk }: SceneVoice): string {
  if (talk.kind === "starting") return texts.voice.starting;
  if (talk.kind !== "talking") return texts.voice.talk;
  return talk.isMuted ? texts.voice.unmute : texts.voice.mute;
}
