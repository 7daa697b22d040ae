/** Outlines the objects that other people have selected to edit, while this user is in edit mode. */
import { type Person, type SceneSession, shownName } from "@stoa/client";
import type { Entity } from "../aframe.ts";
import type { RemoteHold } from "./hold-outlines.ts";

export interface RemoteHoldsOptions {
  readonly session: Pick<SceneSession, "people" | "on">;
  readonly find: (objectId: string) => Entity | null;
  readonly isHidden: (idTag: string) => boolean;
  readonly show: (held: readonly RemoteHold[]) => void;
}

/** The objects that other people have selected to edit. */
export class RemoteHolds {
  readonly #options: RemoteHoldsOptions;
  readonly #stops: readonly (() => void)[];
  /** Each person's name, colour and selected objects as one text for comparison: each pose message repeats them. */
  readonly #holdTexts = new Map<string, string>();
  #isShown = false;
  #isScheduled = false;

  constructor(options: RemoteHoldsOptions) {
    this.#options = options;
    const { session } = options;
    this.#stops = [
      session.on("person", ({ idTag, person }) => this.#person(idTag, person)),
      session.on("object", ({ objectId, object, changed }) => {
        // An object may appear after the message that it is selected, and disappear before it is deselected.
        if (object === null || changed.includes("object_type")) this.#object(objectId);
      }),
      session.on("reset", () => this.#refresh()),
    ];
  }

  /** Shows or hides all outlines; the page shows them in edit mode only. */
  setShown(isShown: boolean): void {
    this.#isShown = isShown;
    this.#refresh();
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    this.#isShown = false;
    this.#options.show([]);
  }

  #person(idTag: string, person: Person | null): void {
    const { holds = [], displayName, color } = person ?? { displayName: "", color: "" };
    const text = holds.length === 0 ? "" : [displayName, color, ...holds].join("\n");
    if (text === (this.#holdTexts.get(idTag) ?? "")) return;
    if (text === "") this.#holdTexts.delete(idTag);
    else this.#holdTexts.set(idTag, text);
    this.#refresh();
  }

  #object(objectId: string): void {
    if ([...this.#holdTexts.values()].some((text) => text.includes(objectId))) this.#refresh();
  }

  /** Schedules one update of the outlines after all changes of this task, when the view has updated its objects. */
  #refresh(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#options.show(this.#isShown ? this.#holds() : []);
    });
  }

  #holds(): readonly RemoteHold[] {
    const { session, find, isHidden } = this.#options;
    return [...session.people.values()]
      .filter(({ idTag }) => !isHidden(idTag))
      .flatMap((person) =>
        (person.holds ?? []).flatMap((objectId) => {
          const el = find(objectId);
          return el === null ? [] : [{ el, name: shownName(person), color: person.color }];
        }),
      );
  }
}
