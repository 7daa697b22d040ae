/**
 * Keeps the pages themselves, so that they open at once, and also while the realm is away: then they say so. Never what people made: neither the
 * API nor a scene's files. `BUILD` and `SHELL` are put in by the build: with another build this file is another, and what was kept goes.
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

/** The list of scenes, a word, a scene: the paths that the realm answers with the one page. */
function isPage(pathname) {
  const segments = pathname.split("/").filter((segment) => segment !== "");
  const own = ["api", "assets", "conf", "persist", "recorder", "static", "store", "storemng", "user"];
  return segments.length <= 2 && !own.includes(segments[0]) && !segments.some((segment) => segment.startsWith("."));
}

/** Its name holds a hash of its content: what was fetched once is good forever. */
async function kept(request) {
  const cache = await caches.open(CACHE);
  const found = await cache.match(request);
  if (found !== undefined) return found;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

/** The realm's answer, whatever it is; what was kept where none comes. */
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
