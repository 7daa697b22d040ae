/** Imports and exports whole scenes as files. */
import { sentence } from "../texts/error-texts.ts";
import { texts } from "../texts/texts.ts";

/** The result of an import. */
export interface SceneImportResult {
  readonly objects: number;
  readonly files: number;
  /** Files that the scene refers to and the import lacks. */
  readonly missing: readonly string[];
}

/**
 * Imports a file as the scene `<namespace>/<scene>`; `told` gets the progress, 0 to 1. Rejects with the realm's error
 * text.
 */
export function importScene(scene: string, content: Blob, told: (done: number) => void): Promise<SceneImportResult> {
  return new Promise((resolve, reject) => {
    // `fetch` reports no upload progress.
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

/** Bytes that are read to recognise a scene file. */
const BEGINNING_BYTES = 65_536;

/** Whether a file begins like an exported scene of Stoa or ARENA's list of objects. */
export async function beginsAsScene(file: Blob): Promise<boolean> {
  const beginning = (await file.slice(0, BEGINNING_BYTES).text()).trimStart();
  return /^[[{]/.test(beginning) && /"(stoa_scene|object_id)"\s*:/.test(beginning);
}

/** Saves a file through the browser's download. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has started by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** The largest scene file that the realm imports, in bytes; `undefined` if it doesn't report one. */
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
  return typeof detail === "string" ? sentence(detail) : undefined;
}

function madeOf(answer: ReadonlyMap<string, unknown>): SceneImportResult {
  const count = (key: string): number => Number(answer.get(key) ?? 0);
  const missing = answer.get("missing");
  const names = Array.isArray(missing) ? missing.filter((name): name is string => typeof name === "string") : [];
  return { objects: count("objects"), files: count("files"), missing: names };
}
