/** Whether this device trusts the realm's certificate, and which certificate that is. */

/** What a check came to. */
export type Trust = "trusted" | "untrusted" | "own" | "plain" | "unknown";

/** What the check asks of the browser. */
export interface Browser {
  readonly secure: boolean;
  readonly loopback: boolean;
  /** Registers the pages' service worker; absent where the browser has none. */
  readonly register: (() => Promise<unknown>) | undefined;
}

/**
 * A page seen past a warning is a "secure context" as well; a service worker is what browsers register only where they trust the certificate.
 */
export async function trustOf({ secure, loopback, register }: Browser): Promise<Trust> {
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

/** Kinds of devices that need different steps. */
export type Device = "android" | "ios" | "quest" | "windows" | "macos" | "linux";

const KINDS: readonly (readonly [Device, RegExp])[] = [
  ["quest", /OculusBrowser|Quest/i],
  ["android", /Android/i],
  ["ios", /iPhone|iPad|iPod/i],
  ["windows", /Windows/i],
  ["macos", /Macintosh|Mac OS X/i],
];

/** What kind of device a browser says that it is on; `linux` where it is none of the others. */
export function deviceOf(userAgent: string): Device {
  return KINDS.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? "linux";
}

/** The SHA-256 of a certificate in PEM, as other programs write it: `AB:CD:…`; `undefined` where it is none, or the page may not count it. */
export async function fingerprintOf(pem: string): Promise<string | undefined> {
  const base64 = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/.exec(pem)?.[1];
  if (base64 === undefined || crypto.subtle === undefined) return undefined;
  const der = Uint8Array.from(atob(base64.replaceAll(/\s/g, "")), (character) => character.charCodeAt(0));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", der));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(":");
}
