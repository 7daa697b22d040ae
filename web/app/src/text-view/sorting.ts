/** Sorts the text view's lists by distance; the list that has the focus keeps its order. Pure functions. */
import type { Bearing } from "./geometry.ts";

/** The lists of the text view. */
export type NearbyListName = "people" | "places" | "tries" | "things";

/** An entry of a list. */
export interface SortableEntry {
  readonly id: string;
  readonly bearing: Bearing | undefined;
}

/**
 * Sorts by distance; entries without a position come last. Entries in `kept` keep their order at the front, so that the
 * list doesn't move under a reader.
 */
export function sorted<Of extends SortableEntry>(
  entries: readonly Of[],
  kept: ReadonlyMap<string, number>,
): { readonly entries: readonly Of[]; readonly order: Map<string, number> } {
  const rank = (of: Of): number => kept.get(of.id) ?? Number.POSITIVE_INFINITY;
  const far = (of: Of): number => of.bearing?.distanceM ?? Number.MAX_VALUE;
  const all = [...entries].sort((a, b) => order(rank(a), rank(b)) || order(far(a), far(b)) || (a.id < b.id ? -1 : 1));
  return { entries: all, order: new Map(all.map(({ id }, at) => [id, at])) };
}

function order(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
