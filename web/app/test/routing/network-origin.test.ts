import { Api } from "@stoa/client";
import { describe, expect, it } from "vitest";
import { networkOrigin } from "../../src/routing/network-origin.ts";

const HERE = { hostname: "localhost", origin: "http://localhost:8080" };

/** The API of a realm that reports `network` as its address. */
function apiOf(network: string | null): Api {
  const me = { username: null, owner: false, owner_exists: true, network };
  return new Api(HERE.origin, () => Promise.resolve(Response.json(me)));
}

describe("the shared address", () => {
  it.each([
    ["https://192.168.1.7:443", "https://192.168.1.7"],
    ["https://[fd00::7]:443", "https://[fd00::7]"],
    ["http://atrium.local:80", "http://atrium.local"],
    ["https://192.168.1.7:8443", "https://192.168.1.7:8443"],
  ])("for %s is %s, without a default port", async (told, shown) => {
    expect(await networkOrigin(apiOf(told), HERE)).toBe(shown);
  });

  it("is the page's own if other devices reach it, and null if no address is known", async () => {
    const there = { hostname: "192.168.1.7", origin: "https://192.168.1.7:8443" };
    expect(await networkOrigin(apiOf("https://elsewhere:1"), there)).toBe(there.origin);
    expect(await networkOrigin(apiOf(null), HERE)).toBeNull();
    expect(await networkOrigin(undefined, HERE)).toBeNull();
  });
});
