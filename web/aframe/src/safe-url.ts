/**
 * Checks URLs in attributes before they are followed. Any editor of the scene can write attributes, so only http(s)
 * URLs and paths of the realm pass; never `javascript:`, `data:`, `blob:` or `file:`.
 */
import { REFUSED_SHOWN_MAX, URL_LENGTH_MAX } from "./limits.ts";

/** The URL in absolute form, or `undefined` if it isn't safe. `base` is the page's URL. */
export function safeUrl(value: unknown, base: string): string | undefined {
  if (typeof value !== "string" || value.length > URL_LENGTH_MAX) return undefined;
  const trimmed = value.trim();
  // A-Frame parses these as selectors and `url(…)`; neither is a URL.
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

/**
 * Folders from which the realm serves files. Its other paths have effects, and every viewer's browser would request
 * them with its own cookies.
 */
const FILES = ["/assets/", "/static/", "/store/"];

/** Like {@link safeUrl}, for files that load without a click: of the realm only the file folders pass. */
export function fileUrl(value: unknown, base: string): string | undefined {
  // ARENA's programs write `store/…` for the realm's folder, independent of the scene.
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
 * Like {@link fileUrl}, but an unsafe URL becomes a placeholder that {@link isRefused} recognizes, so that the object
 * shows the broken-file marker. A-Frame selectors give `undefined`.
 */
export function fileOrRefused(value: unknown, base: string): string | undefined {
  const url = fileUrl(value, base);
  if (url !== undefined || typeof value !== "string") return url;
  const trimmed = value.trim();
  return trimmed === "" || trimmed.startsWith("#") ? undefined : `${REFUSED}${trimmed.slice(0, REFUSED_SHOWN_MAX)}`;
}

/** Whether the URL is a placeholder from {@link fileOrRefused}. */
export function isRefused(url: string): boolean {
  return url.startsWith(REFUSED);
}

/** Like {@link fileUrl}, restricted to files of the realm itself. */
export function realmUrl(value: unknown, base: string): string | undefined {
  const url = fileUrl(value, base);
  return url !== undefined && new URL(url).origin === new URL(base).origin ? url : undefined;
}
