/** Sends the editor's changes to the session: one undo step for each call, or for each drag with its previews. */
import type { Attributes, ChangeOptions, SceneObject, SceneSession } from "@stoa/client";

export type ObjectChangeRequest =
  | {
      readonly kind: "create";
      readonly objectId: string;
      readonly attributes: Attributes;
      readonly options?: ChangeOptions;
    }
  | {
      readonly kind: "update";
      readonly objectId: string;
      readonly attributes: Attributes;
      readonly options?: ChangeOptions;
    }
  | { readonly kind: "remove"; readonly objectId: string };

/** Sends changes and previews. */
export class ObjectChangeSender {
  readonly #session: () => SceneSession | undefined;
  #endDrag: (() => void) | undefined;

  constructor(session: () => SceneSession | undefined) {
    this.#session = session;
  }

  /**
   * Sends changes in order as one undo step, or as the end of an open drag's step. Resolves when the realm has
   * acknowledged all; rejects with the first refusal after all are settled. Without a session or changes it does
   * nothing, and a drag's step remains open.
   */
  async run(changes: readonly ObjectChangeRequest[]): Promise<void> {
    const session = this.#session();
    if (session === undefined || changes.length === 0) return;
    // All are sent at once. `allSettled` leaves no rejection unhandled.
    const asked = session.undo.group(() => Promise.allSettled(changes.map((change) => send(session, change))));
    const answers = await asked.finally(() => {
      this.#endDrag?.();
      this.#endDrag = undefined;
    });
    const refused = answers.find((answer) => answer.status === "rejected");
    if (refused !== undefined) throw refused.reason;
  }

  /** Sends the poses during a drag: not persisted, and no undo step of their own. */
  preview(changes: readonly { readonly objectId: string; readonly attributes: Attributes }[]): void {
    const session = this.#session();
    if (session === undefined) return;
    // The whole drag is one undo step, back to its start.
    this.#endDrag ??= session.undo.begin();
    for (const { objectId, attributes } of changes) {
      // The final change of the drag reports a refusal.
      session.update(objectId, attributes, { persist: false }).catch(() => undefined);
    }
  }
}

function send(session: SceneSession, change: ObjectChangeRequest): Promise<void> {
  switch (change.kind) {
    case "create":
      return session.create(change.objectId, change.attributes, { persist: true, ...change.options });
    case "update":
      return session.update(change.objectId, change.attributes, change.options);
    case "remove":
      return session.remove(change.objectId);
  }
}

/** All descendants of an object, parents before children. */
export function descendantsOf(objects: ReadonlyMap<string, SceneObject>, root: string): SceneObject[] {
  const found: SceneObject[] = [];
  const seen = new Set([root]);
  let level: readonly string[] = [root];
  while (level.length > 0) {
    const next = [...objects.values()].filter(
      ({ objectId, attributes }) =>
        typeof attributes.parent === "string" && level.includes(attributes.parent) && !seen.has(objectId),
    );
    for (const one of next) seen.add(one.objectId);
    found.push(...next);
    level = next.map(({ objectId }) => objectId);
  }
  return found;
}
