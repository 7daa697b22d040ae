/** The live objects of a scene, built from `o` messages: `spec/topics.md` section 2.1, column "live". */
import type { Envelope } from "./envelope.ts";
import { DESCENDANT_DEPTH_MAX, DESCENDANTS_MAX } from "./limits.ts";
import { changedKeys, mergeAttributes } from "./merge.ts";
import type { CameraOrder, SceneEvents, SceneObject } from "./types.ts";

/** A change of one object. */
export type ObjectChange = SceneEvents["object"];

/** Whether a type is a command to one person's camera. Such commands use `o` topics but are no objects. */
export function isOrder(type: string | null): type is CameraOrder["type"] {
  return type === "camera-override" || type === "rig";
}

/** Objects by id. */
export class SceneObjects {
  readonly all = new Map<string, SceneObject>();

  /** Applies a message on `o` and returns its changes. */
  apply(objectId: string, envelope: Envelope): readonly ObjectChange[] {
    if (isOrder(envelope.type)) return [];
    switch (envelope.action) {
      case "create":
        return this.#put({
          objectId,
          type: envelope.type ?? "object",
          attributes: envelope.attributes ?? {},
          persist: envelope.persist === "true",
        });
      case "update":
        return this.#update(objectId, envelope);
      case "delete":
        return this.#remove(objectId);
      default:
        return [];
    }
  }

  #update(objectId: string, envelope: Envelope): readonly ObjectChange[] {
    const old = this.all.get(objectId);
    const base = envelope.overwrite ? {} : (old?.attributes ?? {});
    return this.#put({
      objectId,
      type: old?.type ?? envelope.type ?? "object",
      attributes: mergeAttributes(base, envelope.attributes ?? {}),
      persist: old?.persist ?? false,
    });
  }

  #put(object: SceneObject): readonly ObjectChange[] {
    const before = this.all.get(object.objectId);
    this.all.set(object.objectId, object);
    const changed = changedKeys(before?.attributes ?? {}, object.attributes);
    const same = before !== undefined && before.type === object.type && before.persist === object.persist;
    return same && changed.length === 0 ? [] : [{ objectId: object.objectId, object, changed }];
  }

  /**
   * Removes an object and its descendants. The realm sends no messages for up to 64 descendants. In the result,
   * descendants precede their ancestors.
   */
  #remove(objectId: string): readonly ObjectChange[] {
    if (!this.all.has(objectId)) return [];
    const fallen = this.#withDescendants(objectId).reverse();
    for (const id of fallen) this.all.delete(id);
    return fallen.map((id) => ({ objectId: id, object: null, changed: [] }));
  }

  #withDescendants(root: string): string[] {
    const children = new Map<unknown, string[]>();
    for (const { objectId, attributes } of this.all.values()) {
      const siblings = children.get(attributes.parent) ?? [];
      siblings.push(objectId);
      children.set(attributes.parent, siblings);
    }
    const found = new Set([root]);
    let level = [root];
    for (let depth = 0; depth < DESCENDANT_DEPTH_MAX && level.length > 0; depth += 1) {
      level = level.flatMap((id) => children.get(id) ?? []).filter((id) => !found.has(id));
      for (const id of level) if (found.size <= DESCENDANTS_MAX) found.add(id);
    }
    return [...found];
  }
}
