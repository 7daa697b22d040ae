/** Reasons why a person can't talk or hear. Each has its own message on the page. */
export type VoiceHindrance =
  /** The person or the browser's settings refused the microphone. */
  | "denied"
  /** There is no microphone. */
  | "no-device"
  /** The microphone that was in use is gone. */
  | "unplugged"
  /** Another program has the microphone. */
  | "taken"
  /** The page came over plain HTTP, where browsers give no microphone. */
  | "insecure"
  /** The browser lacks audio worklets or capture. */
  | "unsupported"
  /** The browser starts no sound, as Firefox without a sound output. */
  | "no-output"
  /** The codec did not load. */
  | "codec"
  /** The person may not speak in this scene any more. */
  | "forbidden";

/** Why a voice did not start. */
export class VoiceError extends Error {
  readonly hindrance: VoiceHindrance;

  constructor(hindrance: VoiceHindrance, cause?: unknown) {
    super(`voice: ${hindrance}${cause instanceof Error ? `, ${cause.message}` : ""}`, { cause });
    this.hindrance = hindrance;
  }
}

/** The hindrance that an error of `getUserMedia` tells. Source: Media Capture and Streams, section 10.2. */
export function hindranceOfCapture(error: unknown): VoiceHindrance {
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  if (name === "NotFoundError" || name === "OverconstrainedError") return "no-device";
  if (name === "NotReadableError" || name === "AbortError") return "taken";
  return "unsupported";
}
