import { ApiError, LostError, RefusedError } from "@stoa/client";
import { expect, it } from "vitest";
import { errorText, refusalText } from "../../src/texts/error-texts.ts";
import { texts } from "../support/texts.ts";

const { reasons } = texts;

it("says in the page's words that the server can't be reached", () => {
  expect(errorText(new ApiError(0, "unreached", ""))).toBe(reasons.away);
  expect(errorText(new LostError("the connection was closed"))).toBe(reasons.away);
});

it("shows a detail of the server as a sentence, and its title where it has none", () => {
  expect(errorText(new ApiError(404, "Not Found", 'there is no account "bo"'))).toBe('There is no account "bo".');
  expect(errorText(new ApiError(503, "Service Unavailable", ""))).toBe("Service Unavailable.");
});

it("names the reason of a refusal with its limit; an unknown code stays as it is", () => {
  const why = reasons.refused.get("too_large") ?? "";
  expect(refusalText("too_large", "8192 bytes")).toBe(reasons.atMost(why, "8192 bytes"));
  expect(errorText(new RefusedError("too_large: at most 8192 bytes")).toLowerCase()).toContain("8192 bytes");
  expect(refusalText("new_code")).toBe("new_code");
});
