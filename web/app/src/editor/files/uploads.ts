/**
 * Files on their way into a scene: checked, sent, shown at once, and a model replaced by its optimised form when that is ready. Worker, network and page
 * are given, so that this is only the order of things.
 */
import type { Attributes } from "@stoa/client";
import { texts } from "../../texts/texts.ts";
import { FAULTS_SHOWN, OPTIMISED_BYTES_MAX, UPLOADS_AT_ONCE, WORTHWHILE } from "../limits.ts";
import type { Order, Report } from "../models/worker-messages.ts";
import { newId, tail } from "../objects/ids.ts";
import {
  BEGINNING_BYTES,
  beginsRight,
  endingOf,
  endingsFor,
  type FileKind,
  kindOf,
  objectFor,
  pictureNameOf,
  type Showing,
  type ShownKind,
  storedName,
} from "./file-kinds.ts";
import type { ChosenFile } from "./main-file.ts";
import { bytesInWords, type QuotaResponse, refusalOf } from "./storage-quota.ts";

/** How far a file is. */
export type UploadState = "waiting" | "checking" | "sending" | "optimising" | "replacing" | "done" | "failed";

/** One file, as a list shows it. */
export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly kind: FileKind | undefined;
  state: UploadState;
  /** Of the present state, 0 to 1. */
  done: number;
  /** What there is to say of it: why it failed, what was saved. */
  words: string;
  /** Whether it was refused for its content alone and may be taken all the same. */
  mayInsist: boolean;
  objectId: string | undefined;
  /** Which object it was chosen for; `undefined`: it gets one of its own. */
  readonly into: string | undefined;
  /** A picture of it, for the list. */
  thumbnailUrl: string | undefined;
}

/** An object that is given a file. */
export interface Into {
  readonly objectId: string;
  readonly takes: readonly ShownKind[];
  /** Whether the object took it: it may be gone by now. */
  readonly put: (file: ChosenFile) => Promise<boolean>;
}

/** A file that was dropped, with those that belong to it. */
export interface Dropped {
  readonly file: File;
  readonly parts: readonly File[];
  /** How many stand before it in the same drop: it stands beside them. */
  readonly place: number;
  /** Which object shows it; without one, it gets an object of its own. */
  readonly into?: Into;
}

/** What uploads need of the world. */
export interface UploadPorts {
  readonly room: () => Promise<QuotaResponse>;
  /** The folder that one's files for this scene lie in: `users/<name>/…`. */
  readonly folder: () => string;
  readonly send: (
    content: Blob,
    sending: { path: string; told: (done: number) => void; signal: AbortSignal },
  ) => Promise<string>;
  readonly work: (order: Order, onReport: (report: Report) => void, signal: AbortSignal) => Promise<void>;
  /** What a picture, a video looks like; nothing where the browser can't read it. */
  readonly look: (file: Blob, kind: FileKind) => Promise<{ readonly aspect?: number; readonly poster?: Blob } | null>;
  /** Puts the object into the scene. */
  readonly show: (objectId: string, made: { attributes: Attributes; heightM: number }, place: number) => Promise<void>;
  /** What a model looks like, once it is shown; nothing where it can't be drawn. */
  readonly thumbnail: (objectId: string) => Promise<Blob | null>;
  /** Gives the object another address, if it still has the first. */
  readonly replace: (objectId: string, from: string, to: string) => Promise<boolean>;
  readonly changed: () => void;
}

/** A refusal in words that are meant for people. */
class Refused extends Error {
  readonly mayInsist: boolean;
  constructor(words: string, mayInsist = false) {
    super(words);
    this.mayInsist = mayInsist;
  }
}

/** The list, and what works it off. */
export class Uploads {
  readonly list: Upload[] = [];
  /** Grows with each change of the list. */
  version = 0;
  /** Files that are in the scene by now. */
  sent = 0;
  readonly #ports: UploadPorts;
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #stops = new Map<string, AbortController>();
  readonly #dropped = new Map<string, Dropped>();
  #running = 0;

  constructor(ports: UploadPorts) {
    this.#ports = ports;
  }

  /** Takes files; what is shown of them is in the list at once. */
  add(files: readonly Dropped[]): void {
    for (const dropped of files) {
      const { name, size } = dropped.file;
      const upload: Upload = {
        id: tail(),
        name,
        bytes: size,
        kind: kindOf(name),
        state: "waiting",
        done: 0,
        words: "",
        mayInsist: false,
        objectId: undefined,
        into: dropped.into?.objectId,
        thumbnailUrl: undefined,
      };
      this.list.unshift(upload);
      this.#dropped.set(upload.id, dropped);
      this.#queue(upload, false);
    }
  }

  /** Takes a file whose content has faults. */
  insist(id: string): void {
    const upload = this.list.find((one) => one.id === id);
    if (upload?.mayInsist === true) this.#queue(upload, true);
  }

  /** Gives a file up, or takes a finished one out of the list. */
  dismiss(id: string): void {
    this.#stops.get(id)?.abort();
    const at = this.list.findIndex((one) => one.id === id);
    for (const gone of at < 0 ? [] : this.list.splice(at, 1)) forgetPicture(gone);
    this.#dropped.delete(id);
    this.#changed();
  }

  /** Gives everything up: the scene was left. */
  end(): void {
    for (const stop of this.#stops.values()) stop.abort();
    this.#waiting.length = 0;
    for (const upload of this.list) forgetPicture(upload);
  }

  #changed(): void {
    this.version += 1;
    this.#ports.changed();
  }

  #queue(upload: Upload, insists: boolean): void {
    this.#tell(upload, { state: "waiting", words: "", mayInsist: false });
    this.#waiting.push(() => this.#run(upload, insists));
    this.#next();
  }

  #next(): void {
    if (this.#running >= UPLOADS_AT_ONCE) return;
    const job = this.#waiting.shift();
    if (job === undefined) return;
    this.#running += 1;
    void job().finally(() => {
      this.#running -= 1;
      this.#next();
    });
  }

  async #run(upload: Upload, insists: boolean): Promise<void> {
    const dropped = this.#dropped.get(upload.id);
    if (dropped === undefined) return;
    const stop = new AbortController();
    this.#stops.set(upload.id, stop);
    try {
      await this.#take(upload, dropped, { insists, signal: stop.signal });
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      this.#tell(upload, { state: "failed", words, mayInsist: error instanceof Refused && error.mayInsist });
    } finally {
      this.#stops.delete(upload.id);
    }
  }

  async #take(upload: Upload, dropped: Dropped, how: How): Promise<void> {
    const { file } = dropped;
    const words = texts.edit.files;
    this.#tell(upload, { state: "checking", done: 0 });
    const { kind } = upload;
    if (kind === undefined || kind === "scene" || kind === "part") throw new Refused(words.unknown(file.name));
    if (dropped.into?.takes.includes(kind) === false)
      throw new Refused(words.otherKind(file.name, endingsFor(dropped.into.takes).join(", ")));
    const refusal = refusalOf(file.name, file.size, await this.#ports.room());
    if (refusal !== null) throw new Refused(refusal);
    const first = new Uint8Array(await file.slice(0, BEGINNING_BYTES).arrayBuffer());
    if (!beginsRight(file.name, first)) throw new Refused(words.otherThanItSays(file.name, endingOf(file.name)));
    if (kind === "model") await this.#takeModel(upload, dropped, how);
    else await this.#takeOther(upload, dropped, { kind, ...how });
  }

  async #takeOther(upload: Upload, dropped: Dropped, how: How & { kind: ShownKind }): Promise<void> {
    const [{ kind, signal }, { file }] = [how, dropped];
    const seen = await this.#ports.look(file, kind);
    if (seen === null && kind !== "splat" && kind !== "sound")
      throw new Refused(texts.edit.files.unreadable(file.name));
    const name = storedName(file.name, upload.id);
    const url = await this.#send(upload, file, { name, signal });
    const posterUrl = seen?.poster && (await this.#picture(upload, seen.poster, { name, signal }));
    const showing: Showing = {
      ...(seen?.aspect !== undefined && { aspect: seen.aspect }),
      ...(kind === "video" && posterUrl !== undefined && { posterUrl }),
    };
    await this.#show(upload, url, { kind, dropped, showing, signal });
    this.#tell(upload, { state: "done", done: 1 });
  }

  /** The model is shown as soon as it is sent; the worker goes on meanwhile. */
  async #takeModel(upload: Upload, dropped: Dropped, { insists, signal }: How): Promise<void> {
    const { file, parts } = dropped;
    if (file.size > OPTIMISED_BYTES_MAX) {
      const url = await this.#send(upload, file, { name: storedName(file.name, upload.id), signal });
      await this.#show(upload, url, { kind: "model", dropped, signal });
      return this.#tell(upload, { state: "done", done: 1, words: texts.edit.files.leftLarge });
    }
    const order: Order = {
      bytes: new Uint8Array(await file.arrayBuffer()),
      ...(endingOf(file.name) === "gltf" && { parts: await bytesOf(parts) }),
    };
    signal.throwIfAborted();
    const work = new ModelWork();
    const working = this.#ports.work(
      order,
      (report) => {
        work.take(report);
        if (report.kind === "progress" && upload.state === "optimising") this.#tell(upload, { done: report.done });
      },
      signal,
    );
    void working.catch((error: unknown) => work.take({ kind: "failed", words: String(error) }));
    const checked = await work.checked;
    if (checked.kind === "failed") throw new Refused(texts.edit.files.broken(file.name, checked.words));
    if (checked.faults.length > 0 && !insists)
      throw new Refused(texts.edit.files.faulty(file.name, shortened(checked.faults)), true);
    const content = checked.packed === null ? file : new Blob([new Uint8Array(checked.packed)]);
    const ending = endingOf(file.name) === "gltf" ? "glb" : endingOf(file.name);
    const name = storedName(file.name, upload.id, ending);
    const url = await this.#send(upload, content, { name, signal });
    await this.#show(upload, url, { kind: "model", dropped, signal });
    await this.#replace(upload, { name, url, content, last: work.last, signal });
  }

  /**
   * The smaller form takes the original's name in the store, which forgets the original's bytes: no two files take room. Whatever names that address shows
   * the smaller form from then on: copies of the object, other scenes, and what undo or history bring back; so no earlier state of a scene can lead to a
   * file that is gone. Only the object itself gets a new address of the same file, so that pages that have the original loaded take the smaller one.
   */
  async #replace(upload: Upload, { name, url, content, last, signal }: Replacing): Promise<void> {
    const words = texts.edit.files;
    this.#tell(upload, { state: "optimising", done: 0 });
    const { objectId } = upload;
    const picture = objectId === undefined ? null : await this.#ports.thumbnail(objectId);
    if (picture !== null) await this.#picture(upload, picture, { name, signal });
    this.#tell(upload, { state: "optimising" });
    const report = await last;
    if (report.kind !== "optimised") {
      const why = report.kind === "left" ? words.leftAsIs(report.why) : words.leftFor(wordsOfReport(report));
      return this.#tell(upload, { state: "done", done: 1, words: why });
    }
    const [before, after] = [content.size, report.bytes.length];
    if (after > before * WORTHWHILE) return this.#tell(upload, { state: "done", done: 1, words: words.good });
    this.#tell(upload, { state: "replacing", done: 0 });
    const better = new Blob([new Uint8Array(report.bytes)]);
    await this.#send(upload, better, { name, signal }, "replacing");
    const replaced = upload.objectId !== undefined && (await this.#ports.replace(upload.objectId, url, `${url}?v=2`));
    const said = replaced ? words.optimised(bytesInWords(before), bytesInWords(after)) : words.changedMeanwhile;
    this.#tell(upload, { state: "done", done: 1, words: said });
  }

  /**
   * A file's picture lies beside it, under its name and `.webp`: it is made once, by whoever uploads the file, is there for all devices and whoever shares
   * the folder, and goes into backups and exports like any file. Kept by each browser for itself, it would have to be drawn again from the whole file.
   * A file without a picture is no worse: where it can't be sent, it goes without.
   */
  async #picture(upload: Upload, picture: Blob, sending: Sending): Promise<string | undefined> {
    if (!sending.signal.aborted) upload.thumbnailUrl ??= URL.createObjectURL(picture);
    try {
      return await this.#send(upload, picture, { ...sending, name: pictureNameOf(sending.name) }, upload.state);
    } catch (error) {
      if (sending.signal.aborted) throw error;
      return undefined;
    }
  }

  async #send(upload: Upload, content: Blob, { name, signal }: Sending, state: UploadState = "sending") {
    signal.throwIfAborted();
    this.#tell(upload, { state, done: 0 });
    const told = (done: number) => this.#tell(upload, { done });
    return await this.#ports.send(content, { path: `${this.#ports.folder()}/${name}`, told, signal });
  }

  async #show(
    upload: Upload,
    url: string,
    shown: { kind: ShownKind; dropped: Dropped; signal: AbortSignal; showing?: Showing },
  ): Promise<void> {
    const { kind, dropped, signal, showing = {} } = shown;
    const { into, place } = dropped;
    signal.throwIfAborted();
    if (into !== undefined) {
      if (!(await into.put({ kind, url, showing }))) throw new Error(texts.edit.files.states.failed);
      return this.#tell(upload, { objectId: into.objectId });
    }
    const objectId = newId(
      upload.name
        .replace(/\.[^.]*$/, "")
        .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
        .slice(0, 40),
    );
    await this.#ports.show(objectId, objectFor(kind, url, { objectId, showing }), place);
    this.#tell(upload, { objectId });
  }

  #tell(upload: Upload, change: Partial<Upload>): void {
    Object.assign(upload, change);
    if (change.state === "done") this.sent += 1;
    this.#changed();
  }
}

/** The first faults, and how many more there are. */
function shortened(faults: readonly string[]): string {
  const more = faults.length - FAULTS_SHOWN;
  const shown = faults.slice(0, FAULTS_SHOWN);
  return [...shown, ...(more > 0 ? [texts.edit.files.moreFaults(more)] : [])].join(" ");
}

/** The page would hold the picture for as long as it is open. */
function forgetPicture(upload: Upload): void {
  if (upload.thumbnailUrl !== undefined) URL.revokeObjectURL(upload.thumbnailUrl);
  upload.thumbnailUrl = undefined;
}

interface How {
  readonly insists: boolean;
  readonly signal: AbortSignal;
}

/** The name that a file gets in one's folder. */
interface Sending {
  readonly name: string;
  readonly signal: AbortSignal;
}

interface Replacing extends Sending {
  readonly url: string;
  readonly content: Blob;
  readonly last: Promise<Report>;
}

/** The worker's reports as two answers: whether the model is good, and what became of it. */
class ModelWork {
  readonly checked: Promise<Extract<Report, { kind: "checked" | "failed" }>>;
  readonly last: Promise<Report>;
  #check: (report: Extract<Report, { kind: "checked" | "failed" }>) => void = () => undefined;
  #end: (report: Report) => void = () => undefined;

  constructor() {
    this.checked = new Promise((resolve) => {
      this.#check = resolve;
    });
    this.last = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  take(report: Report): void {
    if (report.kind === "checked" || report.kind === "failed") this.#check(report);
    if (report.kind !== "checked" && report.kind !== "progress") this.#end(report);
    // With faults the worker goes no further, whatever the person decides.
    if (report.kind === "checked" && report.faults.length > 0) this.#end({ kind: "failed", words: "" });
  }
}

function wordsOfReport(report: Report): string {
  return report.kind === "failed" ? report.words : "";
}

async function bytesOf(parts: readonly File[]): Promise<Record<string, Uint8Array<ArrayBuffer>>> {
  const read = parts.map(async (part) => [part.name, new Uint8Array(await part.arrayBuffer())] as const);
  return Object.fromEntries(await Promise.all(read));
}

/** Which of the files that were dropped together stand for themselves, and which belong to a `.gltf`. */
export function sorted(files: readonly File[]): readonly Dropped[] {
  const models = files.filter(({ name }) => endingOf(name) === "gltf");
  const isPart = (file: File): boolean =>
    models.length > 0 && !models.includes(file) && ["part", "image"].includes(kindOf(file.name) ?? "");
  const own = files.filter((file) => !isPart(file));
  const parts = files.filter(isPart);
  return own.map((file, place) => ({ file, parts: models.includes(file) ? parts : [], place }));
}
