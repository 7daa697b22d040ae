/** Scenes as wholes, on their way out of a browser and into it. */
import { texts } from "../texts/texts.ts";

/** What the realm made of a file. */
export interface MadeScene {
  readonly objects: number;
  readonly files: number;
  /** Files that were only named in it. */
  readonly missing: readonly string[];
}

/** Sends a scene in one file to become `<namespace>/<scene>`; `told` hears how far it is, 0 to 1. Fails with the realm's own words. */
export function importScene(scene: string, content: Blob, told: (done: number) => void): Promise<MadeScene> {
  return new Promise((resolve, reject) => {
    // `fetch` doesn't tell how far it is.
    const request = new XMLHttpRequest();
    request.open("POST", `/api/v1/scenes/${scene}/import`);
    request.setRequestHeader("content-type", "application/x-ndjson");
    request.upload.onprogress = ({ loaded, total }) => told(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      const answer = fieldsOf(request.responseText);
      if (request.status === 201) resolve(madeOf(answer));
      else reject(new Error(wordsIn(answer) ?? texts.reasons.answered(request.status)));
    };
    request.onerror = () => reject(new Error(texts.reasons.away));
    request.send(content);
  });
}

/** So much of a file is looked at: the first of what is in it. */
const BEGINNING_BYTES = 65_536;

/** Whether a file begins as a scene does: one that was saved here, or the objects of one of ARENA's. */
export async function beginsAsScene(file: Blob): Promise<boolean> {
  const beginning = (await file.slice(0, BEGINNING_BYTES).text()).trimStart();
  return /^[[{]/.test(beginning) && /"(stoa_scene|object_id)"\s*:/.test(beginning);
}

/** Gives a file to whoever sits before the browser. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken it over by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** How large a file the realm takes; `undefined`: it doesn't say. */
export async function fileLimit(fetch = (url: string) => globalThis.fetch(url)): Promise<number | undefined> {
  try {
    const response = await fetch("/api/v1/store-room");
    const most = response.ok ? fieldsOf(await response.text()).get("scene_bytes_max") : undefined;
    return typeof most === "number" ? most : undefined;
  } catch {
    return undefined;
  }
}

function fieldsOf(text: string): ReadonlyMap<string, unknown> {
  try {
    const answer: unknown = JSON.parse(text);
    return new Map(typeof answer === "object" && answer !== null ? Object.entries(answer) : []);
  } catch {
    return new Map();
  }
}

function wordsIn(answer: ReadonlyMap<string, unknown>): string | undefined {
  const detail = answer.get("detail");
  return typeof detail === "string" ? detail : undefined;
}

function madeOf(answer: ReadonlyMap<string, unknown>): MadeScene {
  const count = (key: string): number => Number(answer.get(key) ?? 0);
  const missing = answer.get("missing");
  const names = Array.isArray(missing) ? missing.filter((name): name is string => typeof name === "string") : [];
  return { objects: count("objects"), files: count("files"), missing: names };
}
