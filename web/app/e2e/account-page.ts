// Pages of people with accounts.
import { execFileSync } from "node:child_process";
import type { Browser } from "playwright-core";
import { openPage, type PageOptions } from "./browser.ts";
import { HTTP, type TestRealm } from "./realm.ts";
import { ScenePage } from "./scene-page.ts";

const PASSWORD = "correct horse battery staple";

/** Creates accounts on the running server. */
export function addAccounts(realm: TestRealm, names: readonly string[]): void {
  for (const name of names)
    execFileSync(String(process.env.STOA_BIN), ["user", "add", name, "--data", realm.folder], {
      input: `${PASSWORD}\n`,
    });
}

/** Signs in and enters a scene. The scene's owner creates it first, with editing allowed for all. */
export async function enterAs(
  browser: Browser,
  name: string,
  { scene, ...options }: PageOptions & { readonly scene: string },
): Promise<ScenePage> {
  const opened = await openPage(browser, { viewport: { width: 1_280, height: 800 }, ...options });
  const { page } = opened;
  await page.goto(`${HTTP}/`);
  const own = scene.startsWith(`${name}/`) ? `/api/v1/scenes/${scene}` : "";
  await page.evaluate(
    async ([username, password, path]) => {
      const send = (to: string, method: string, body: object) =>
        fetch(to, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
      await send("/api/v1/login", "POST", { username, password });
      if (path) await send(path, "PUT", { public_write: true });
    },
    [name, PASSWORD, own],
  );
  const entered = ScenePage.on(opened);
  await entered.go(scene);
  return entered;
}
