/** Lists the account's files for a scene, by the requests of the realm's file page, which ARENA's programs send too. */
import { isPictureName, kindOf, pictureNameOf, type StandaloneFileKind } from "./file-kinds.ts";

export interface OwnFile {
  readonly name: string;
  /** The address that objects refer to. */
  readonly url: string;
  /** Address of the file's thumbnail, if there is one. */
  readonly pictureUrl: string | undefined;
  readonly kind: StandaloneFileKind;
  readonly changedMs: number;
}

/** Reads a listing from the realm's decoded JSON. */
export function filesIn(folder: string, listing: unknown): readonly OwnFile[] {
  const items = fieldOf(listing, "items");
  if (!Array.isArray(items)) return [];
  const names = new Map(
    items
      .filter((item) => fieldOf(item, "isDir") !== true)
      .map((item) => [String(fieldOf(item, "name")), Date.parse(String(fieldOf(item, "modified"))) || 0]),
  );
  const urlOf = (name: string): string => `/store/${[...folder.split("/"), name].map(encodeURIComponent).join("/")}`;
  const files = [...names].flatMap(([name, changedMs]): OwnFile[] => {
    const kind = kindOf(name);
    if (kind === undefined || kind === "scene" || kind === "part" || isPictureName(name)) return [];
    const picture = pictureNameOf(name);
    return [{ name, url: urlOf(name), pictureUrl: names.has(picture) ? urlOf(picture) : undefined, kind, changedMs }];
  });
  return files.sort((a, b) => b.changedMs - a.changedMs || a.name.localeCompare(b.name));
}

/** Lists the files of a folder `users/<name>/…`. Rejects if they can't be read. */
export async function listFiles(folder: string): Promise<readonly OwnFile[]> {
  // Sets the cookie with the token that the listing requires.
  const entered = await fetch("/user/v2/storelogin");
  if (!entered.ok) throw new Error(`the realm answered ${entered.status}`);
  const pass = document.cookie
    .split("; ")
    .find((pair) => pair.startsWith("auth="))
    ?.slice("auth=".length);
  const [, , ...below] = folder.split("/");
  // Paths are relative to the account's own folder, but for the realm's owner to the whole store. Both are tried.
  for (const path of [below.join("/"), folder]) {
    const response = await fetch(`/storemng/api/resources/${path}/`, { headers: { "X-Auth": pass ?? "" } });
    if (response.ok) return filesIn(folder, await response.json());
    if (response.status !== 404) throw new Error(`the realm answered ${response.status}`);
  }
  return [];
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null
    ? new Map<string, unknown>(Object.entries(value)).get(key)
    : undefined;
}
