import { Api } from "@stoa/client";
import { describe, expect, it, vi } from "vitest";
import { deviceOf, fingerprintOf, trustOf } from "../../src/pages/certificate-trust.ts";
import { pageOf } from "../../src/pages/pages.ts";
import { Preferences } from "../../src/preferences/preferences.ts";
import { texts } from "../support/texts.ts";

vi.mock("../../src/pages/stoa-trust.ts", () => {
  throw new Error("it doesn't come");
});

const PAGE = { secure: true, loopback: false, register: () => Promise.resolve() };

describe("a device's trust in the certificate", () => {
  it("is known from the registration of the service worker", async () => {
    const refused = () => Promise.reject(new DOMException("an SSL certificate error", "SecurityError"));
    const absent = () => Promise.reject(new TypeError("Failed to fetch"));
    await expect(trustOf(PAGE)).resolves.toBe("trusted");
    await expect(trustOf({ ...PAGE, register: refused })).resolves.toBe("untrusted");
    await expect(trustOf({ ...PAGE, register: absent })).resolves.toBe("unknown");
    await expect(trustOf({ ...PAGE, register: undefined })).resolves.toBe("unknown");
  });

  it("isn't needed on the server's own machine or without encryption", async () => {
    await expect(trustOf({ ...PAGE, loopback: true })).resolves.toBe("own");
    await expect(trustOf({ ...PAGE, secure: false })).resolves.toBe("plain");
  });
});

it.each([
  ["Mozilla/5.0 (X11; Linux x86_64; Quest 3) AppleWebKit/537.36 OculusBrowser/33.0", "quest"],
  ["Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140 Mobile", "android"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15", "ios"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36", "windows"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15", "macos"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "linux"],
])("the user agent %s is recognised as %s", (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});

it("the trust page shows an error when its script fails to load", async () => {
  const preferences = new Preferences(new Storage());
  const page = pageOf({ page: "trust" }, { api: new Api("http://realm.test"), preferences }, document);
  await vi.waitFor(() => expect(page.textContent).toBe(texts.overlay.notLoaded(texts.trust.title)));
});

describe("a certificate's fingerprint", () => {
  it("is the SHA-256 of the decoded PEM body", async () => {
    const pem = "-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n";
    // The hash of "abc", FIPS 180-4's own example.
    const begin = "BA:78:16:BF:8F:01:CF:EA:41:41:40:DE:5D:AE:22:23";
    expect(await fingerprintOf(pem)).toBe(`${begin}:B0:03:61:A3:96:17:7A:9C:B4:10:FF:61:F2:00:15:AD`);
    expect(await fingerprintOf("no certificate")).toBeUndefined();
  });
});
