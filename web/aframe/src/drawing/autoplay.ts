/** Browsers let no page make noise before somebody has touched it. */

/** What is played: a `<video>`. */
export interface Playable {
  muted: boolean;
  play(): Promise<void>;
}

const TOUCHES = ["pointerdown", "keydown"] as const;

/** Plays at once, without sound where that is all the browser allows, and with it from the first touch on. Call what it gives to stop trying. */
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
    // Where even that is refused, the first touch is what it waits for.
    video.play().catch(() => undefined);
  };
  video.muted = false;
  video.play().catch((error: unknown) => {
    if (error instanceof Error && error.name === "NotAllowedError") silent();
  });
  return () => trying.abort();
}
