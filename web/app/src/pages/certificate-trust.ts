/** Checks whether this device trusts the realm's certificate, and computes the certificate's fingerprint. */

/** The result of a check. */
export type CertificateTrustResult = "trusted" | "untrusted" | "own" | "plain" | "unknown";

/** The facts about page and browser that the check needs. */
export interface BrowserFeatures {
  readonly secure: boolean;
  readonly loopback: boolean;
  /** Registers the pages' service worker; `undefined` if the browser has none. */
  readonly register: (() => Promise<unknown>) | undefined;
}

/**
 * Tests the trust by registering a service worker, which browsers do only if they trust the certificate. A page opened
 * past a certificate warning is a "secure context" too.
 */
export async function trustOf({ secure, loopback, register }: BrowserFeatures): Promise<CertificateTrustResult> {
  if (loopback) return "own";
  if (!secure) return "plain";
  if (register === undefined) return "unknown";
  try {
    await register();
    return "trusted";
  } catch (error) {
    return error instanceof DOMException && error.name === "SecurityError" ? "untrusted" : "unknown";
  }
}

/** Kinds of devices, each with its own steps to trust the certificate. */
export type Device = "android" | "ios" | "quest" | "windows" | "macos" | "linux";

const KINDS: readonly (readonly [Device, RegExp])[] = [
  ["quest", /OculusBrowser|Quest/i],
  ["android", /Android/i],
  ["ios", /iPhone|iPad|iPod/i],
  ["windows", /Windows/i],
  ["macos", /Macintosh|Mac OS X/i],
];

/** The device kind in a user agent; `linux` for any other. */
export function deviceOf(userAgent: string): Device {
  return KINDS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? "linux";
}

/**
 * The SHA-256 fingerprint of a PEM certificate in the usual form `AB:CD:…`; `undefined` if the text is no certificate,
 * or the page has no `crypto.subtle`.
 */
export async function fingerprintOf(pem: string): Promise<string | undefined> {
  const base64 = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/.exec(pem)?.[1];
  if (base64 === undefined || crypto.subtle === undefined) return undefined;
  const der = Uint8Array.from(atob(base64.replaceAll(/\s/g, "")), (character) => character.charCodeAt(0));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", der));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(":");
}
