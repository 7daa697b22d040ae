/** A Lit controller that redraws its element on events of the session. */
import type { SceneEvents, SceneSession } from "@stoa/client";
import type { ReactiveController, ReactiveControllerHost } from "lit";

type SessionRedrawHost = ReactiveControllerHost & { session: SceneSession | undefined };

/** Redraws its host whenever the session emits one of these kinds of events. */
export class SessionRedrawController implements ReactiveController {
  readonly #host: SessionRedrawHost;
  readonly #kinds: readonly (keyof SceneEvents)[];
  #followed: SceneSession | undefined;
  #stops: (() => void)[] = [];

  constructor(host: SessionRedrawHost, kinds: readonly (keyof SceneEvents)[]) {
    this.#host = host;
    this.#kinds = kinds;
    host.addController(this);
  }

  hostUpdate(): void {
    if (this.#followed === this.#host.session) return;
    this.hostDisconnected();
    this.#followed = this.#host.session;
    const draw = () => this.#host.requestUpdate();
    this.#stops = this.#kinds.flatMap((kind) => this.#followed?.on(kind, draw) ?? []);
  }

  hostDisconnected(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#followed = undefined;
  }
}
