// Makes another build of the same pages: every hashed file gets another name, as after an update of the realm.
import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const HASHED = /-[\w-]{8}\.(js|css)$/;

/** A copy of the built pages to serve and renew. */
export async function copyOfPages(): Promise<string> {
  const built = process.env.STOA_WEB ?? join(import.meta.dirname, "../dist");
  const folder = await mkdtemp(join(tmpdir(), "stoa-pages-"));
  await cp(built, folder, { recursive: true });
  // Compressed copies are removed, since the realm would serve their old content.
  for (const name of await filesOf(folder)) if (/\.(br|gz)$/.test(name)) await rm(name);
  return folder;
}

/** Renames every script and style with all references. The old names are gone. */
export async function renew(folder: string): Promise<void> {
  const files = await filesOf(folder);
  const hashed = files.filter((name) => HASHED.test(name));
  const names = hashed.map((name) => name.slice(name.lastIndexOf("/") + 1));
  for (const path of files.filter((name) => /\.(js|css|html)$/.test(name))) {
    let text = await readFile(path, "utf8");
    for (const name of names) text = text.replaceAll(name, renewed(name));
    if (path.endsWith("/sw.js")) text = `${text}\n// another build\n`;
    await writeFile(path, text);
  }
  for (const path of hashed) await rename(path, renewed(path));
}

function renewed(name: string): string {
  return name.replace(
    /-([\w-])([\w-]{7}\.(?:js|css))$/,
    (_, first: string, rest: string) => `-${first === "0" ? "1" : "0"}${rest}`,
  );
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
