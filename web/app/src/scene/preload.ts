/** Preloads the scripts that a scene's page needs after the name form, while the page is idle. */

/** Preloads the files listed by the build, without running them, once the page is idle. */
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
  // Safari lacks `requestIdleCallback`.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(then, { timeout: 1_000 });
  else setTimeout(then);
}
