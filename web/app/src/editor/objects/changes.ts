/** The one place by which the editor changes a scene. What belongs together is one step to undo. */
import type { Attributes, ChangeOptions, SceneObject, SceneSession } from "@stoa/client";

/** One change of one object. */
export type Change =
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

/** Changes scenes. */
export class Changes {
  readonly #session: () => SceneSession | undefined;
  #endDrag: (() => void) | undefined;

  constructor(session: () => SceneSession | undefined) {
    this.#session = session;
  }

  /** Makes changes in their order. Resolves when the realm has all of them; rejects with the first refusal. */
  async run(changes: readonly Change[]): Promise<void> {
    const session = this.#session();
    if (session === undefined || changes.length === 0) return;
    // All are asked at once, and are one step to undo; none of the answers may be left without somebody who waits for it.
    const asked = session.undo.group(() => Promise.allSettled(changes.map((change) => send(session, change))));
    const answers = await asked.finally(() => {
      this.#endDrag?.();
      this.#endDrag = undefined;
    });
    const refused = answers.find((answer) => answer.status === "rejected");
    if (refused !== undefined) throw refused.reason;
  }

  /** Shows the others where something is while it is being dragged: not stored, and no step of its own. */
  preview(changes: readonly { readonly objectId: string; readonly attributes: Attributes }[]): void {
    const session = this.#session();
    if (session === undefined) return;
    // The whole drag is one step to undo, to where it began.
    this.#endDrag ??= session.undo.begin();
    for (const { objectId, attributes } of changes) {
      // Where it may not be moved, the end of the drag says so.
      session.update(objectId, attributes, { persist: false }).catch(() => undefined);
    }
  }
}

function send(session: SceneSession, change: Change): Promise<void> {
  switch (change.kind) {
    case "create":
      return session.create(change.objectId, change.attributes, { persist: true, ...change.options });
    case "update":
      return session.update(change.objectId, change.attributes, change.options);
    case "remove":
      return session.remove(change.objectId);
  }
}

/** All that hangs on an object, parents before children. */
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
