/** What things are called, where their ids say nothing: an id is a thing's name, for programs as for people. Pure. */
import type { Attributes } from "@stoa/client";
import { texts } from "../texts/texts.ts";

/** Whether an id was made up here, out of a kind and six letters or digits: `box-x7k2p1`. */
function isMadeUp(objectId: string, type: unknown): boolean {
  const [, stem] = /^(.+)-[0-9a-z]{6}$/.exec(objectId) ?? [];
  return stem !== undefined && (stem === type || stem === DOORWAY);
}

/** What the ids of new doorways begin with. */
export const DOORWAY = "doorway";

/** What is written on a thing, or where it leads: it is called so as long as it has no name of its own. */
export function nameByUse(objectId: string, { object_type: type, portal, value }: Attributes): string | undefined {
  if (!isMadeUp(objectId, type)) return undefined;
  if (type === "text" && typeof value === "string" && value.trim() !== "") return `“${value.trim().slice(0, 24)}”`;
  const scene = typeof portal === "object" && portal !== null && "scene" in portal ? portal.scene : undefined;
  if (typeof scene !== "string") return undefined;
  return scene === "" ? texts.edit.names.doorway : texts.edit.names.doorwayTo(scene);
}

/** A typed name as an id: `My red chair` → `My-red-chair`; empty where nothing of it can stand there. */
export function idOf(typed: string): string {
  return typed
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, NAME_LENGTH_MAX);
}

/** Characters of a name that is typed: what a row of the list shows. */
const NAME_LENGTH_MAX = 60;
