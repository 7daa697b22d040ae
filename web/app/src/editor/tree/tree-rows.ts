/** Turns a scene's objects into the rows of a tree. Pure functions. */
import type { SceneObject } from "@stoa/client";
import { nameOf, parentOf } from "../editor.ts";

export interface TreeRow {
  readonly objectId: string;
  readonly name: string;
  readonly kind: string;
  /** Counted from 1. */
  readonly level: number;
  /** Whether the row has children and shows them. */
  readonly children: "none" | "shown" | "hidden";
}

export interface TreeViewState {
  readonly closed: ReadonlySet<string>;
  /** Text that names must contain; empty for all. */
  readonly search: string;
}

/** Rows in tree order. Search results are listed with their ancestors. */
export function rowsOf(
  objects: ReadonlyMap<string, SceneObject>,
  { closed, search }: TreeViewState,
): readonly TreeRow[] {
  const editable = [...objects.values()].filter(({ type }) => type === "object");
  const below = new Map<string | null, SceneObject[]>();
  for (const object of editable) {
    const parent = parentOf(object);
    // Objects whose parent has no row are listed at the top level.
    const at = parent !== null && objects.get(parent)?.type === "object" ? parent : null;
    const siblings = below.get(at);
    if (siblings === undefined) below.set(at, [object]);
    else siblings.push(object);
  }
  const wanted = search.trim().toLowerCase();
  const fits = ({ objectId, attributes }: SceneObject): boolean =>
    wanted === "" ||
    `${nameOf(objectId, attributes)} ${objectId} ${attributes.object_type}`.toLowerCase().includes(wanted);
  const visited = new Set<string>();
  const visit = (parent: string | null, level: number): TreeRow[] => {
    const siblings = (below.get(parent) ?? []).filter(({ objectId }) => !visited.has(objectId));
    for (const { objectId } of siblings) visited.add(objectId);
    return siblings.sort(byName).flatMap((object): TreeRow[] => {
      const inner = visit(object.objectId, level + 1);
      if (inner.length === 0 && !fits(object)) return [];
      const { objectId, attributes } = object;
      const isClosed = wanted === "" && closed.has(objectId);
      const children = inner.length === 0 ? "none" : isClosed ? "hidden" : "shown";
      const kind = typeof attributes.object_type === "string" ? attributes.object_type : "";
      const row: TreeRow = { objectId, name: nameOf(objectId, attributes), kind, level, children };
      return isClosed ? [row] : [row, ...inner];
    });
  };
  return visit(null, 1);
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

function byName(a: SceneObject, b: SceneObject): number {
  return collator.compare(nameOf(a.objectId, a.attributes), nameOf(b.objectId, b.attributes));
}

/** The row that an arrow key, Home or End moves the focus to, or `undefined`. */
export function rowAfter(rows: readonly TreeRow[], objectId: string, key: string): TreeRow | undefined {
  const at = rows.findIndex((row) => row.objectId === objectId);
  const row = rows[at];
  switch (key) {
    case "ArrowDown":
      return rows[at + 1];
    case "ArrowUp":
      return rows[Math.max(0, at - 1)];
    case "Home":
      return rows[0];
    case "End":
      return rows.at(-1);
    case "ArrowRight":
      return row?.children === "shown" ? rows[at + 1] : undefined;
    case "ArrowLeft":
      return row === undefined ? undefined : rows.slice(0, at).findLast(({ level }) => level < row.level);
    default:
      return undefined;
  }
}
