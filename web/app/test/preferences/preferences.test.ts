import { expect, it } from "vitest";
import { Preferences, showTheme, tidyName } from "../../src/preferences/preferences.ts";

it("a display name is stripped of invisible characters and cut to the limit", () => {
  expect(tidyName("  Ada \t  L.\u0007 ")).toBe("Ada L.");
  expect(tidyName("x".repeat(100))).toHaveLength(40);
  expect(tidyName("a\u202enim\u200bda\u200d")).toBe("animda");
  for (const name of ["علی\u200cرضا", "👩\u200d👧"]) expect(tidyName(name)).toBe(name);
  expect(new TextEncoder().encode(tidyName("\u{1F600}".repeat(30))).length).toBe(64);
});

it("preferences have their defaults when the browser denies storage", () => {
  const locked = () => {
    throw new Error("denied");
  };
  const preferences = new Preferences({ getItem: locked, setItem: locked });
  preferences.name = "Ada";
  expect(preferences.name).toBe("");
  expect(preferences.theme).toBe("auto");
});

it("a theme is set on the page's root, and removed for auto", () => {
  const root = document.createElement("html");
  showTheme("dark", root);
  expect(root.dataset.theme).toBe("dark");
  showTheme("auto", root);
  expect(root.dataset.theme).toBeUndefined();
});

it("the graphics quality and the dismissed hint are stored", () => {
  const shelf = new Map<string, string>();
  const preferences = new Preferences({
    getItem: (key) => shelf.get(key) ?? null,
    setItem: (key, value) => void shelf.set(key, value),
  });
  expect([preferences.picture, preferences.hinted]).toEqual(["auto", false]);
  preferences.picture = "fast";
  preferences.hinted = true;
  expect([preferences.picture, preferences.hinted]).toEqual(["fast", true]);
  shelf.set("stoa-picture", "gorgeous");
  expect(preferences.picture).toBe("auto");
});

it("an assigned colour stays the same in every tab, until a colour is chosen", () => {
  const shelf = new Map<string, string>();
  const open = () =>
    new Preferences({
      getItem: (key) => shelf.get(key) ?? null,
      setItem: (key, value) => void shelf.set(key, value),
    });
  const first = open().color;
  expect(first).toMatch(/^#[0-9a-f]{6}$/);
  expect([open().color, open().color]).toEqual([first, first]);
  const preferences = open();
  preferences.looks = { ...preferences.looks, color: "#20a04e" };
  expect(open().color).toBe("#20a04e");
  preferences.looks = { ...preferences.looks, color: "" };
  expect(open().color).toBe(first);
  shelf.set("stoa-color", "url(x)");
  expect(open().color).toMatch(/^#[0-9a-f]{6}$/);
});

it("an assigned colour stays the same without storage while the page is open", () => {
  const forgetful = new Preferences({ getItem: () => null, setItem: () => undefined });
  expect(forgetful.color).toBe(forgetful.color);
});
