/** Loads the sound of voices. */
import type { SceneSession } from "@stoa/client";
import type { VoiceEngine } from "@stoa/voice";
import scriptUrl from "@stoa/voice/script?worker&url";
import type { HeardVoices } from "./scene-voice.ts";

/** Loads the script of voices and connects it with a session. */
export async function loadVoice(session: SceneSession, heard: HeardVoices): Promise<VoiceEngine> {
  const { VoiceEngine } = await import("@stoa/voice");
  // Browsers hide the devices over plain HTTP, and old ones lack the permissions.
  const { mediaDevices: devices, permissions } = navigator as Partial<Navigator>;
  return new VoiceEngine({ voices: session.voices, scriptUrl, ...heard, devices, permissions, random: Math.random });
}
