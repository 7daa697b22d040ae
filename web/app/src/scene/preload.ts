/** Lets what a scene's page will need come before it is asked for. */

/** Asks the browser to load, and not yet to run, the files that the build named; once the page has nothing else to do. */
export function preloadSceneFiles(document: Document, whenIdle: (then: () => void) => void = idle): void {
  const files = document.querySelector<HTMLMetaElement>('meta[name="stoa-scene-files"]')?.content ?? "";
  whenIdle(() => {
    for (const href of files.split(" ")) {
      if (href === "" || document.head.querySelector(`link[href="${href}"]`) !== null) continue;
      document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
    }
  });
}

function idle(then: () => void): void {
  // Safari has no idle callbacks.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(then, { timeout: 1_000 });
  else setTimeout(then);
}
