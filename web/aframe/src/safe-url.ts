/**
 * Which addresses in attributes are followed. Attributes come from anybody who may build in the scene, so only http(s) and paths of the
 * realm are; never `javascript:`, `data:`, `blob:` or a file.
 */
import { REFUSED_SHOWN_MAX, URL_LENGTH_MAX } from "./limits.ts";

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

/** Where the realm serves files. Its other addresses do things, and every browser that looks would ask with its own cookies. */
const FILES = ["/assets/", "/static/", "/store/"];

/** The same for what is loaded without a click: of the realm itself its files alone. */
export function fileUrl(value: unknown, base: string): string | undefined {
  // ARENA's programs write `store/…` for the realm's folder, whatever scene they are in.
  const rooted =
    typeof value === "string" && /^(assets|static|store)\//.test(value.trim()) ? `/${value.trim()}` : value;
  const href = safeUrl(rooted, base);
  if (href === undefined) return undefined;
  const url = new URL(href);
  const isFile = FILES.some((folder) => url.pathname.startsWith(folder));
  return url.origin !== new URL(base).origin || isFile ? href : undefined;
}

const REFUSED = "refused:";

/**
 * The same, for what is seen where it can't be had: an address that isn't followed becomes one that nothing loads, and of which {@link isRefused} knows. What
 * A-Frame takes for something of the page is no address at all.
 */
export function fileOrRefused(value: unknown, base: string): string | undefined {
  const url = fileUrl(value, base);
  if (url !== undefined || typeof value !== "string") return url;
  const trimmed = value.trim();
  return trimmed === "" || trimmed.startsWith("#") ? undefined : `${REFUSED}${trimmed.slice(0, REFUSED_SHOWN_MAX)}`;
}

/** Whether an address is one that wasn't followed. */
export function isRefused(url: string): boolean {
  return url.startsWith(REFUSED);
}

/** The same, but only for what the realm itself serves. */
export function realmUrl(value: unknown, base: string): string | undefined {
  const url = fileUrl(value, base);
  return url !== undefined && new URL(url).origin === new URL(base).origin ? url : undefined;
}
