import { COMFORT } from "@stoa/aframe/comfort";
import { expect, test } from "vitest";
import { comfortOf } from "../../src/preferences/comfort.ts";
import { addressOf, destinationOf, opensUnasked } from "../../src/routing/destinations.ts";

const HERE = "https://realm.test";

test("an address of this server becomes a scene with a landmark, and back", () => {
  expect(destinationOf("/public/sandbox", HERE)).toEqual({ scene: "public/sandbox", landmark: "" });
  expect(destinationOf(`${HERE}/lobby#the%20door`, HERE)).toEqual({ scene: "public/lobby", landmark: "the door" });
  expect(addressOf({ scene: "public/lobby", landmark: "the door" })).toBe("/public/lobby#the%20door");
  expect(addressOf({ scene: "public/lobby", landmark: "" })).toBe("/public/lobby");
  expect(addressOf({ scene: "public/lobby", landmark: "door" }, "text")).toBe("/public/lobby?view=text#door");
});

test.each([
  "https://elsewhere.test/public/sandbox",
  "/",
  "/owner",
  "/public/sandbox?view=text",
  "/a/b/c",
  "http://[",
  "/public/sandbox#invite=s3cret",
])("%s isn't a scene to travel to", (url) => {
  expect(destinationOf(url, HERE)).toBeNull();
});

test.each(["/lobby", "/public/sandbox?view=text#door", "/store/users/ann/notes.pdf"])(
  "%s opens without the user's consent",
  (url) => {
    expect(opensUnasked(`${HERE}${url}`, HERE)).toBe(true);
  },
);

test.each([
  "/user/v2/logout",
  "/store/../user/v2/logout",
  "/stored/a/b",
  "/public/sandbox#invite=s3cret",
  "/owner",
  "https://elsewhere.test/public/sandbox",
])("%s needs the user's consent", (url) => {
  expect(opensUnasked(new URL(url, HERE).href, HERE)).toBe(false);
});

test("stored comfort settings are read back, and invalid values become the defaults", () => {
  const liked = {
    speed: 5,
    turn: "smooth",
    angle: 45,
    vignette: 1,
    raise: 0.4,
    jump: true,
    letterKeys: false,
  } as const;
  expect(comfortOf(JSON.stringify(liked))).toEqual(liked);
  expect(comfortOf(JSON.stringify({ speed: 1e9, turn: 7, angle: "45", vignette: -1, raise: null }))).toEqual(COMFORT);
  for (const text of ["", "null", "[]", "{"]) expect(comfortOf(text)).toEqual(COMFORT);
});
