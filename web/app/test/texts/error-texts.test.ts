import { ApiError, LostError, RefusedError } from "@stoa/client";
import { expect, it } from "vitest";
import { errorText, refusalText } from "../../src/texts/error-texts.ts";
import { texts } from "../support/texts.ts";

const { reasons } = texts;

it("an unreachable server is reported in the page's words", () => {
  expect(errorText(new ApiError(0, "unreached", ""))).toBe(reasons.away);
  expect(errorText(new LostError("the connection was closed"))).toBe(reasons.away);
});

it("a server error shows its detail as a sentence, or its title if it has no detail", () => {
  expect(errorText(new ApiError(404, "Not Found", 'there is no account "bo"'))).toBe('There is no account "bo".');
  expect(errorText(new ApiError(503, "Service Unavailable", ""))).toBe("Service Unavailable.");
});

it("a refusal shows its reason and limit, and an unknown code unchanged", () => {
  const why = reasons.refused.get("too_large") ?? "";
  expect(refusalText("too_large", "8192 bytes")).toBe(reasons.atMost(why, "8192 bytes"));
  expect(errorText(new RefusedError("too_large: at most 8192 bytes")).toLowerCase()).toContain("8192 bytes");
  expect(refusalText("new_code")).toBe("new_code");
});
