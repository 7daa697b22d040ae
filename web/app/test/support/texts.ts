// The pages' texts, by which these tests find elements.
import { expect } from "vitest";

export { texts } from "../../src/texts/texts.ts";

/** Checks that a text contains these parts, such as a number or a name, and returns it. */
export function holding(text: string, ...parts: readonly string[]): string {
  for (const part of parts) expect(text).toContain(part);
  return text;
}
