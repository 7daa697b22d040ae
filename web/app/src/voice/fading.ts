/** How voices fade with distance in a scene. */
import { voiceFadingOf } from "@stoa/aframe/meaning";
import type { SceneSession } from "@stoa/client";
import type { VoiceFading } from "@stoa/voice";

/** The object whose attribute of the same name has the scene's options. */
export const OPTIONS_ID = "scene-options";

/** The fading by the scene's options; without them as sound fades in the open. */
export function fadingIn({ objects }: Pick<SceneSession, "objects">): VoiceFading {
  return voiceFadingOf(objects.get(OPTIONS_ID)?.attributes[OPTIONS_ID]);
}
