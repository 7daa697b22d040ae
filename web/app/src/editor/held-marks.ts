/** Draws the editor again when somebody else says to hold something, and not at each step of somebody who walks. */
import type { SceneSession } from "@stoa/client";
import type { ReactiveController, ReactiveControllerHost } from "lit";

type Host = ReactiveControllerHost & { readonly session: SceneSession | undefined };

/** What all others hold, as one text to compare. */
function heldText(session: SceneSession | undefined): string {
  return JSON.stringify([...(session?.people.values() ?? [])].map(({ idTag, holds }) => [idTag, holds ?? []]));
}

/** The controller. */
export class HeldMarks implements ReactiveController {
  readonly #host: Host;
  #followed: SceneSession | undefined;
  #held = "";
  #stop: () => void = () => undefined;

  constructor(host: Host) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdate(): void {
    const { session } = this.#host;
    if (this.#followed === session) return;
    this.#stop();
    this.#followed = session;
    this.#held = heldText(session);
    const stop = session?.on("person", () => {
      const held = heldText(session);
      if (held === this.#held) return;
      this.#held = held;
      this.#host.requestUpdate();
    });
    this.#stop = stop ?? (() => undefined);
  }

  hostDisconnected(): void {
    this.#stop();
    this.#followed = undefined;
  }
}
