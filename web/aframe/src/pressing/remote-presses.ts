/**
 * Replays other people's presses on objects, as in ARENA's page: sounds, animations and videos then start for
 * everybody.
 */
import type { ReceivedEvent } from "@stoa/client";
import type { Entity } from "../aframe.ts";

/** The detail of a replayed event. It has no ray, so actions of the local user don't trigger. */
export interface RemotePressDetail {
  readonly clicker?: string;
}

const REPEATED = /^(mouse(down|up|enter|leave)|(trigger|grip|menu|system|trackpad)(down|up))$/;

/** Emits another person's press on the object. */
export function repeatPress(el: Entity | null, { type, idTag }: ReceivedEvent): void {
  if (!el || !REPEATED.test(type)) return;
  const detail: RemotePressDetail = { clicker: idTag };
  el.emit(type, detail, false);
}

/** Whether an event is a replayed press of another person. */
export function isRemotePress(event: Event): boolean {
  const detail: unknown = event instanceof CustomEvent ? event.detail : null;
  return typeof detail === "object" && detail !== null && "clicker" in detail;
}
