/**
 * Finds display names of objects and makes ids from names. An object's id is its name for programs and people, unless
 * the id was generated. Pure functions.
 */
import type { Attributes } from "@stoa/client";
import { texts } from "../texts/texts.ts";

/** Whether an id was generated from a type and six letters or digits: `box-x7k2p1`. */
function isMadeUp(objectId: string, type: unknown): boolean {
  const [, stem] = /^(.+)-[0-9a-z]{6}$/.exec(objectId) ?? [];
  return stem !== undefined && (stem === type || stem === DOORWAY);
}

/** Stem of the ids of new portals. */
export const DOORWAY = "doorway";

/** The display name of an object with a generated id: its text, or its portal's target. */
export function nameByUse(objectId: string, { object_type: type, portal, value }: Attributes): string | undefined {
  if (!isMadeUp(objectId, type)) return undefined;
  if (type === "text" && typeof value === "string" && value.trim() !== "") return `“${value.trim().slice(0, 24)}”`;
  const scene = typeof portal === "object" && portal !== null && "scene" in portal ? portal.scene : undefined;
  if (typeof scene !== "string") return undefined;
  return scene === "" ? texts.edit.names.doorway : texts.edit.names.doorwayTo(scene);
}

/** A typed name as an id: `My red chair` → `My-red-chair`; empty if no character is allowed. */
export function idOf(typed: string): string {
  return typed
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, NAME_LENGTH_MAX);
}

/** Longest typed name in characters: as much as a row of the list shows. */
const NAME_LENGTH_MAX = 60;
