/**
 * Runs in a page before its scripts: limits drawing to five frames a second at `pixelRatio`. Otherwise software
 * rendering takes over half of a test's time.
 */
export function drawSparsely(pixelRatio) {
  const FRAME_MS = 200;
  Object.defineProperty(window, "devicePixelRatio", { configurable: true, get: () => pixelRatio });
  const onNextFrame = window.requestAnimationFrame.bind(window);
  const waiting = new Map();
  let last = 0;
  let drawnAt = 0;
  let isAsked = false;
  const draw = (now) => {
    isAsked = false;
    drawnAt = now;
    const ids = [...waiting.keys()];
    for (const id of ids) {
      const callback = waiting.get(id);
      waiting.delete(id);
      // An exception in one callback doesn't stop the others.
      try {
        callback?.(now);
      } catch (error) {
        reportError(error);
      }
    }
  };
  window.requestAnimationFrame = (callback) => {
    last += 1;
    waiting.set(last, callback);
    if (!isAsked) {
      isAsked = true;
      setTimeout(() => onNextFrame(draw), Math.max(0, drawnAt + FRAME_MS - performance.now()));
    }
    return last;
  };
  window.cancelAnimationFrame = (id) => {
    waiting.delete(id);
  };
}
