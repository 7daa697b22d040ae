/** The audio session of iOS, which TypeScript's library lacks. Source: W3C Audio Session. */

/** `navigator.audioSession`. */
interface AudioSession extends EventTarget {
  type: string;
  readonly state: "inactive" | "active" | "interrupted";
}

function audioSession(): AudioSession | undefined {
  return (navigator as Navigator & { readonly audioSession?: AudioSession }).audioSession;
}

/** Tells iOS how the page uses sound: without it, a ringing phone or the mute switch silences voices. */
export function setAudioSession(type: "playback" | "play-and-record"): void {
  const session = audioSession();
  if (session !== undefined && session.type !== type) session.type = type;
}

/** Calls `listener` when the system returns the sound, as after a telephone call, until the signal. */
export function onSessionReturned(listener: () => void, signal: AbortSignal): void {
  const session = audioSession();
  session?.addEventListener("statechange", () => session.state === "active" && listener(), { signal });
}
