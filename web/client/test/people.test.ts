import { expect, test } from "vitest";
import { accountOf, shownName } from "../src/people.ts";

test("shown names mark guests, also those with an account's name, and never mark accounts", () => {
  const shown = (idTag: string) => shownName({ idTag, displayName: "Ada" });
  expect(shown("anonymous-1234567890_0000000001")).toBe("Ada (guest)");
  expect(shown("anonymous-ada_0000000001"), "by ARENA's pages").toBe("Ada (guest)");
  expect([shown("ada_0000000001"), shown("a-program")]).toEqual(["Ada", "Ada"]);
  expect(["anonymous-ada_0000000001", "ada_0000000001"].map(accountOf)).toEqual(["guest", "ada"]);
});
