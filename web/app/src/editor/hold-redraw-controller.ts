/**
 * A Lit controller that redraws its element when another person's selection changes or the scene is reset, but not
 * with each pose of a person.
 */
import type { Person, SceneSession } from "@stoa/client";
import type { ReactiveController, ReactiveControllerHost } from "lit";

type HoldRedrawHost = ReactiveControllerHost & { readonly session: SceneSession | undefined };

/** A person's holds as one text to compare; empty for none. */
function heldText(person: Person | null): string {
  return (person?.holds ?? []).join("\n");
}

/** Redraws its host when another person's holds, the ids of their selected objects, change. */
export class HoldRedrawController implements ReactiveController {
  readonly #host: HoldRedrawHost;
  /** Holds by person; people without holds are left out. */
  readonly #held = new Map<string, string>();
  #followed: SceneSession | undefined;
  #stops: readonly (() => void)[] = [];

  constructor(host: HoldRedrawHost) {
    this.#host = host;
    host.addController(this);
  }

  hostUpdate(): void {
    const { session } = this.#host;
    if (this.#followed === session) return;
    this.hostDisconnected();
    this.#followed = session;
    if (session === undefined) return;
    this.#read(session);
    this.#stops = [
      session.on("person", ({ idTag, person }) => {
        if (this.#take(idTag, person)) this.#host.requestUpdate();
      }),
      session.on("reset", () => {
        this.#read(session);
        this.#host.requestUpdate();
      }),
    ];
  }

  hostDisconnected(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#followed = undefined;
  }

  #read(session: SceneSession): void {
    this.#held.clear();
    for (const person of session.people.values()) this.#take(person.idTag, person);
  }

  /** Records a person's holds. Returns whether they changed. */
  #take(idTag: string, person: Person | null): boolean {
    const held = heldText(person);
    if (held === (this.#held.get(idTag) ?? "")) return false;
    if (held === "") this.#held.delete(idTag);
    else this.#held.set(idTag, held);
    return true;
  }
}
