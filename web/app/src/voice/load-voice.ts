/** Loads the sound of voices. */
import type { SceneSession } from "@stoa/client";
import type { VoiceEngine } from "@stoa/voice";
import scriptUrl from "@stoa/voice/script?worker&url";
import type { HeardVoices } from "./scene-voice.ts";

/** Loads the script of voices and connects it with a session. */
export async function loadVoice(session: SceneSession, heard: HeardVoices): Promise<VoiceEngine> {
  const { VoiceEngine } = await import("@stoa/voice");
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  return new VoiceEngine({ voices: session.voices, scriptUrl, ...heard, devices, random: Math.random });
}
