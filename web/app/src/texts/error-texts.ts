import { ApiError, hindranceOf, LostError, RefusedError } from "@stoa/client";
import { texts } from "./texts.ts";

/** The text of an error for people: a sentence. */
export function errorText(error: unknown): string {
  const { reasons } = texts;
  if (error instanceof LostError) return reasons.away;
  if (error instanceof RefusedError) return sentence(refusalText(error.reason, error.limit));
  if (error instanceof ApiError && hindranceOf(error)?.code !== "away") return sentence(error.detail || error.title);
  if (error instanceof ApiError) return reasons.away;
  return error instanceof Error ? error.message : String(error);
}

/** The text of a refusal, without a capital and a full stop. */
export function refusalText(reason: string, limit?: string): string {
  const why = texts.reasons.refused.get(reason) ?? reason;
  return limit === undefined ? why : texts.reasons.atMost(why, limit);
}

/** A detail of the server as a sentence: details begin small and end without a full stop. */
export function sentence(words: string): string {
  const [first = "", ...rest] = words;
  const ended = /[.!?…]$/.test(words) ? "" : ".";
  return `${first.toUpperCase()}${rest.join("")}${ended}`;
}
