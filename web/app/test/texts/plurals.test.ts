import { expect, it } from "vitest";
import { pluralsOf } from "../../src/texts/plurals.ts";

it("a count has the plural form and number format of its language", () => {
  const english = pluralsOf("en");
  const forms = { one: "# file", other: "# files" };
  expect([0, 1, 2, 1_234].map((count) => english(count, forms))).toEqual([
    "0 files",
    "1 file",
    "2 files",
    "1,234 files",
  ]);
  const polish = pluralsOf("pl");
  const files = { one: "# plik", few: "# pliki", many: "# plików", other: "# pliku" };
  expect([1, 3, 5].map((count) => polish(count, files))).toEqual(["1 plik", "3 pliki", "5 plików"]);
});

it("a count has the general form if its language has no other", () => {
  expect(pluralsOf("ja")(1, { one: "# file", other: "#" })).toBe("1");
});
