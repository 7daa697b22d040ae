/**
 * Which addresses in attributes are followed. Attributes come from anybody who may build in the scene, so only http(s) and paths of the
 * realm are; never `javascript:`, `data:`, `blob:` or a file.
 */
import { URL_LENGTH_MAX } from "./limits.ts";

/** The address as an absolute URL, or `undefined` where it isn't safe. `base` is the page's address. */
export function safeUrl(value: unknown, base: string): string | undefined {
  if (typeof value !== "string" || value.length > URL_LENGTH_MAX) return undefined;
  const trimmed = value.trim();
  // A-Frame takes these for selectors and `url(…)`; neither is an address.
  if (trimmed === "" || trimmed.startsWith("#") || /^url\(/i.test(trimmed)) return undefined;
  let url: URL;
  try {
    url = new URL(trimmed, base);
  } catch {
    return undefined;
  }
  const http = url.protocol === "https:" || url.protocol === "http:";
  return http && url.username === "" && url.password === "" ? url.href : undefined;
}

/** The same, but only for what the realm itself serves. */
export function realmUrl(value: unknown, base: string): string | undefined {
  const url = safeUrl(value, base);
  return url !== undefined && new URL(url).origin === new URL(base).origin ? url : undefined;
}
