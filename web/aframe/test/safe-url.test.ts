import { expect, test } from "vitest";
import { fileOrRefused, fileUrl, isRefused, realmUrl, safeUrl } from "../src/safe-url.ts";

const BASE = "https://realm.local:8443/public/lobby";

test("https URLs and paths of the realm are safe", () => {
  expect(safeUrl("/store/users/ann/duck.glb", BASE)).toBe("https://realm.local:8443/store/users/ann/duck.glb");
  expect(safeUrl("store/duck.glb", BASE)).toBe("https://realm.local:8443/public/store/duck.glb");
  expect(safeUrl(" https://example.org/a.png ", BASE)).toBe("https://example.org/a.png");
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\nscript:alert(1)",
  "\u0001javascript:alert(1)",
  "data:text/html,<script>",
  "blob:https://realm.local/1",
  "file:///etc/passwd",
  "vbscript:x",
  "#an-element",
  "url(javascript:1)",
  "https://user:secret@example.org/",
  "",
  "http://",
  `/${"a".repeat(3_000)}`,
])("%j is rejected as unsafe", (value) => {
  expect(safeUrl(value, BASE)).toBeUndefined();
});

test.each([null, undefined, 7, {}, ["/a"]])("%j is rejected because it isn't a string", (value) => {
  expect(safeUrl(value, BASE)).toBeUndefined();
});

test("a URL of another host is not a realm URL", () => {
  expect(realmUrl("/store/head.glb", BASE)).toBe("https://realm.local:8443/store/head.glb");
  expect(realmUrl("https://example.org/head.glb", BASE)).toBeUndefined();
  expect(realmUrl("//example.org/head.glb", BASE)).toBeUndefined();
});

test("a file URL never points to an API path of the realm, though a link may", () => {
  for (const path of ["/user/v2/logout", "/api/v1/scenes", "/store/../user/v2/logout", "/", "logout", "/stored/x"]) {
    expect(fileUrl(path, BASE), path).toBeUndefined();
    expect(realmUrl(path, BASE), path).toBeUndefined();
    expect(safeUrl(path, BASE), `${path}, as a link`).toBeDefined();
  }
  for (const path of ["/store/users/ann/duck.glb", "/assets/model.glb", "https://example.org/user/v2/logout"]) {
    expect(fileUrl(path, BASE), path).toBeDefined();
  }
});

test("a store path without a leading slash resolves from the realm's root", () => {
  expect(fileUrl("store/users/ann/duck.glb", BASE)).toBe("https://realm.local:8443/store/users/ann/duck.glb");
  expect(fileUrl("stored/x", BASE)).toBeUndefined();
});

test("an invalid file URL is marked as refused, and an empty value or an element id gives none", () => {
  for (const value of ["board.png", "javascript:alert(1)", "/api/v1/scenes", `https://${"a".repeat(3_000)}`]) {
    const refused = fileOrRefused(value, BASE) ?? "";
    expect(isRefused(refused), value).toBe(true);
    expect(refused.length).toBeLessThan(300);
  }
  for (const value of ["", " ", "#canvas", null, 7]) expect(fileOrRefused(value, BASE)).toBeUndefined();
  expect(fileOrRefused("/store/a.png", BASE)).toBe("https://realm.local:8443/store/a.png");
  expect(isRefused("https://example.org/refused:a.png")).toBe(false);
});
