/** Others' clicks, as ARENA's page repeats them: sounds and animations start for everybody, films too. */
import type { ReceivedEvent } from "@stoa/client";
import type { Entity } from "../aframe.ts";

/** The detail of an event that somebody else caused: it has no ray, so nothing of one's own happens by it. */
export interface RemotePress {
  readonly clicker?: string;
}

const REPEATED = /^(mouse(down|up|enter|leave)|(trigger|grip|menu|system|trackpad)(down|up))$/;

/** Tells the object of somebody else's click. */
export function repeatPress(el: Entity | null, { type, idTag }: ReceivedEvent): void {
  if (!el || !REPEATED.test(type)) return;
  const detail: RemotePress = { clicker: idTag };
  el.emit(type, detail, false);
}

/** Whether an event of an object was caused by somebody else. */
export function isRemotePress(event: Event): boolean {
  const detail: unknown = event instanceof CustomEvent ? event.detail : null;
  return typeof detail === "object" && detail !== null && "clicker" in detail;
}
