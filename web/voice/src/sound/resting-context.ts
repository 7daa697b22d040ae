/** An audio context that rests while nothing uses it, and wakes before it is used. */
import { CONTEXT_IDLE_MS, CONTEXT_WAKES_MS } from "../limits.ts";

/** A context with voices. */
export class RestingContext {
  readonly #context: AudioContext;
  readonly #onChanged: () => void;
  /** Whether this page stopped the context, and not the browser or the system. */
  #isResting = false;
  /** Whether the context has had no time yet to run again. */
  #isWaking = false;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #woken: ReturnType<typeof setTimeout> | undefined;

  /** `onChanged` is called when the context runs or stops. */
  constructor(context: AudioContext, onChanged: () => void) {
    [this.#context, this.#onChanged] = [context, onChanged];
    context.onstatechange = () => onChanged();
  }

  /** Whether the browser or the system keeps the context from running. */
  get isBlocked(): boolean {
    return this.#context.state !== "running" && !this.#isResting && !this.#isWaking;
  }

  /** Sets whether the context plays or captures, or is about to. Unused, it is suspended after `CONTEXT_IDLE_MS`. */
  setUsed(isUsed: boolean): void {
    if (isUsed) {
      clearTimeout(this.#idle);
      this.#idle = undefined;
      if (this.#isResting) this.#wake();
    } else if (!this.#isResting) this.#idle ??= setTimeout(() => this.#rest(), CONTEXT_IDLE_MS);
  }

  /** Lets the context run unless it rests. Browsers demand a press or key for it. */
  async unblock(): Promise<void> {
    const { state } = this.#context;
    // `interrupted` is iOS's, during a telephone call.
    if (state !== "running" && state !== "closed" && !this.#isResting) await this.#context.resume().catch(ignored);
  }

  close(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#woken);
    this.#context.onstatechange = null;
    void this.#context.close();
  }

  #rest(): void {
    this.#idle = undefined;
    if (this.#context.state !== "running") return;
    this.#isResting = true;
    void this.#context.suspend().catch(ignored);
  }

  #wake(): void {
    [this.#isResting, this.#isWaking] = [false, true];
    this.#woken = setTimeout(() => {
      this.#isWaking = false;
      this.#onChanged();
    }, CONTEXT_WAKES_MS);
    void this.#context.resume().catch(ignored);
  }
}

/** The state of the context tells a failure. */
const ignored = (): void => undefined;
