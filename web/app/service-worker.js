/**
 * Caches the pages' files, so that they open at once and also while the realm is offline, when they show that state.
 * Content that people made is never cached: neither the API nor a scene's files. The build inserts `BUILD` and `SHELL`;
 * a new build changes this file, and the old cache is deleted.
 */
const BUILD = "__BUILD__";
const SHELL = __SHELL__;
const CACHE = `stoa-${BUILD}`;

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(SHELL))
      .then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name.startsWith("stoa-") && name !== CACHE));
  event.waitUntil(
    old.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => clients.claim()),
  );
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(kept(request));
  else if (request.mode === "navigate" && isPage(pathname)) event.respondWith(page(request));
  else if (pathname !== "/" && SHELL.includes(pathname)) event.respondWith(fresh(request, request));
});

/** The list of scenes, a page or a scene: the paths that the realm serves with the single page. */
function isPage(pathname) {
  const segments = pathname.split("/").filter((segment) => segment !== "");
  const own = ["api", "assets", "conf", "persist", "recorder", "static", "store", "storemng", "user"];
  return segments.length <= 2 && !own.includes(segments[0]) && !segments.some((segment) => segment.startsWith("."));
}

/** A file whose name contains a hash of its content never changes, so the cached copy is used. */
async function kept(request) {
  const cache = await caches.open(CACHE);
  const found = await cache.match(request);
  if (found !== undefined) return found;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

/** The realm's answer; the cached copy if there is none. */
async function fresh(request, key) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(key, { cacheName: CACHE });
    if (found !== undefined) return found;
    throw error;
  }
}

function page(request) {
  return fresh(request, "/");
}
