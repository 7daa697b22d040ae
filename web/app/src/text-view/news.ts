/** Batches and rate-limits announcements: a scene may change a hundred times a second. Pure: time is an argument. */
import { NEWS_AGAIN_MS, NEWS_PERIOD_MS } from "../limits.ts";

/** A kind of event. */
export type AnnouncementKind = "came" | "left" | "raised" | "added" | "gone" | "changed";

/** One announcement: the kind of event and its names. */
export interface Announcement {
  readonly what: AnnouncementKind;
  readonly names: readonly string[];
}

const ORDER: readonly AnnouncementKind[] = ["came", "left", "raised", "added", "gone", "changed"];

/** The pending announcements of one scene. */
export class AnnouncementQueue {
  readonly #waiting = new Map<string, { readonly what: AnnouncementKind; readonly name: string }>();
  readonly #announcedAtMs = new Map<string, number>();
  #lastAtMs = Number.NEGATIVE_INFINITY;

  /**
   * Records an event of the person or object with this id. An arrival and departure between two announcements cancel
   * out.
   */
  handle(what: AnnouncementKind, id: string, name: string): void {
    const before = this.#waiting.get(id)?.what;
    if ((before === "came" && what === "left") || (before === "added" && what === "gone")) this.#waiting.delete(id);
    else if (before === undefined || (what !== "changed" && what !== "raised")) this.#waiting.set(id, { what, name });
  }

  /** The announcements that are due now. */
  poll(nowMs: number): readonly Announcement[] {
    if (this.#waiting.size === 0 || nowMs - this.#lastAtMs < NEWS_PERIOD_MS) return [];
    for (const [id, at] of this.#announcedAtMs) if (nowMs - at >= NEWS_AGAIN_MS) this.#announcedAtMs.delete(id);
    const due = [...this.#waiting].filter(([id, { what }]) => what !== "changed" || !this.#announcedAtMs.has(id));
    this.#waiting.clear();
    if (due.length === 0) return [];
    this.#lastAtMs = nowMs;
    for (const [id, { what }] of due) if (what === "changed" || what === "added") this.#announcedAtMs.set(id, nowMs);
    return ORDER.flatMap((what) => {
      const names = due.filter(([, happened]) => happened.what === what).map(([, { name }]) => name);
      return names.length === 0 ? [] : [{ what, names }];
    });
  }
}
