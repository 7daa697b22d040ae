/** Starts playback under browsers' autoplay policies, which block sound until the user interacts with the page. */

/** The used part of `HTMLVideoElement`. */
export interface Playable {
  muted: boolean;
  play(): Promise<void>;
}

/** Events that count as an interaction with the page. */
const TOUCHES = ["pointerdown", "keydown"] as const;

/**
 * Plays at once, muted if the browser blocks sound, and unmutes at the first interaction. The returned function
 * cancels the attempt.
 */
export function playsWhenAllowed(video: Playable, touched: EventTarget): () => void {
  const trying = new AbortController();
  const { signal } = trying;
  const loud = (): void => {
    trying.abort();
    video.muted = false;
    video.play().catch(() => undefined);
  };
  const silent = (): void => {
    if (signal.aborted) return;
    video.muted = true;
    for (const type of TOUCHES) touched.addEventListener(type, loud, { signal });
    // If muted playback is blocked too, the first interaction starts it.
    video.play().catch(() => undefined);
  };
  video.muted = false;
  video.play().catch((error: unknown) => {
    if (error instanceof Error && error.name === "NotAllowedError") silent();
  });
  return () => trying.abort();
}
