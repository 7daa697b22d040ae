/**
 * Pipeline of a file into a scene: check, send, show, and replace a model by its optimised form. Worker, network and
 * page are passed in as {@link UploadDependencies}; this file holds only the sequence.
 */
import type { Attributes } from "@stoa/client";
import type { ScenePoint } from "../../scene/stage.ts";
import { texts } from "../../texts/texts.ts";
import { FAULTS_SHOWN, OPTIMISED_BYTES_MAX, UPLOADS_AT_ONCE, WORTHWHILE } from "../limits.ts";
import type { ModelWorkerReport, ModelWorkerRequest } from "../models/worker-messages.ts";
import { newId, tail } from "../objects/ids.ts";
import {
  type AspectAndPoster,
  BEGINNING_BYTES,
  beginsRight,
  endingOf,
  endingsFor,
  type FileKind,
  kindOf,
  objectFor,
  pictureNameOf,
  type StandaloneFileKind,
  storedName,
} from "./file-kinds.ts";
import type { MainFileReplacement } from "./main-file.ts";
import { bytesInWords, type QuotaLookupResult, refusalOf } from "./storage-quota.ts";

/** The state of an upload. */
export type UploadState = "waiting" | "checking" | "sending" | "optimising" | "replacing" | "done" | "failed";

/** One file, as a list shows it. */
export interface Upload {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
  readonly kind: FileKind | undefined;
  state: UploadState;
  /** Progress of the current state, 0 to 1. */
  done: number;
  /** Text for the user: the error, or the result of the optimisation. */
  words: string;
  /** Whether the file was refused only for faults of the model, so that the user may upload it anyway. */
  mayInsist: boolean;
  objectId: string | undefined;
  /** The existing object that the file is for; `undefined` creates a new one. */
  readonly into: string | undefined;
  /** Address of the file's thumbnail, for the list. */
  thumbnailUrl: string | undefined;
}

export interface FileReceivingObject {
  readonly objectId: string;
  readonly takes: readonly StandaloneFileKind[];
  /** Sets the object's file. Resolves to false if the object is gone or the change fails. */
  readonly put: (file: MainFileReplacement) => Promise<boolean>;
}

/** A dropped file with the files that belong to it. */
export interface DroppedFileBundle {
  readonly file: File;
  readonly parts: readonly File[];
  /** Index in the drop: objects of one drop are placed side by side. */
  readonly index: number;
  /** The position of the drop. Without one, new objects are placed ahead of the viewer. */
  readonly at?: ScenePoint;
  /** The object that shows the file; if absent, a new one is created. */
  readonly into?: FileReceivingObject;
}

/** The dependencies of the uploads. */
export interface UploadDependencies {
  readonly quota: () => Promise<QuotaLookupResult>;
  /** The store folder of the account's files for this scene: `users/<name>/…`. */
  readonly folder: () => string;
  readonly send: (
    content: Blob,
    request: { path: string; onProgress: (done: number) => void; signal: AbortSignal },
  ) => Promise<string>;
  readonly work: (
    order: ModelWorkerRequest,
    onReport: (report: ModelWorkerReport) => void,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Aspect ratio and poster of a picture or video; `null` if the browser can't read it. */
  readonly look: (file: Blob, kind: FileKind) => Promise<{ readonly aspect?: number; readonly poster?: Blob } | null>;
  /** Adds the object to the scene. */
  readonly show: (
    objectId: string,
    made: { attributes: Attributes; heightM: number },
    dropped: Pick<DroppedFileBundle, "index" | "at">,
  ) => Promise<void>;
  /** A thumbnail of a model once it is shown; `null` if it can't be drawn. */
  readonly thumbnail: (objectId: string) => Promise<Blob | null>;
  /** Changes the object's file address to `to` if it still is `from`. Resolves to false if it stays. */
  readonly replace: (objectId: string, from: string, to: string) => Promise<boolean>;
  readonly changed: () => void;
}

/** A refusal whose message is shown to the user. */
class RefusedFileError extends Error {
  readonly mayInsist: boolean;
  constructor(words: string, mayInsist = false) {
    super(words);
    this.mayInsist = mayInsist;
  }
}

/** The list of uploads, of which at most `UPLOADS_AT_ONCE` run at a time. */
export class UploadQueue {
  readonly list: Upload[] = [];
  /** Incremented by each change of the list. */
  version = 0;
  /** Number of uploads that reached the state `done`. */
  sent = 0;
  readonly #ports: UploadDependencies;
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #stops = new Map<string, AbortController>();
  readonly #dropped = new Map<string, DroppedFileBundle>();
  #running = 0;

  constructor(ports: UploadDependencies) {
    this.#ports = ports;
  }

  /** Queues files. They appear in the list at once. */
  add(files: readonly DroppedFileBundle[]): void {
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

  /** Uploads a model despite its faults. */
  insist(id: string): void {
    const upload = this.list.find((one) => one.id === id);
    if (upload?.mayInsist === true) this.#queue(upload, true);
  }

  /** Removes an upload from the list, and aborts it if it is running. */
  dismiss(id: string): void {
    this.#stops.get(id)?.abort();
    const at = this.list.findIndex((one) => one.id === id);
    for (const gone of at < 0 ? [] : this.list.splice(at, 1)) forgetPicture(gone);
    this.#dropped.delete(id);
    this.#changed();
  }

  /** Aborts all uploads, when the page leaves the scene. */
  end(): void {
    for (const stop of this.#stops.values()) stop.abort();
    this.#waiting.length = 0;
    for (const upload of this.list) forgetPicture(upload);
  }

  #changed(): void {
    this.version += 1;
    this.#ports.changed();
  }

  #queue(upload: Upload, ignoresFaults: boolean): void {
    this.#update(upload, { state: "waiting", words: "", mayInsist: false });
    this.#waiting.push(() => this.#run(upload, ignoresFaults));
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

  async #run(upload: Upload, ignoresFaults: boolean): Promise<void> {
    const dropped = this.#dropped.get(upload.id);
    if (dropped === undefined) return;
    const stop = new AbortController();
    this.#stops.set(upload.id, stop);
    try {
      await this.#handle(upload, dropped, { ignoresFaults, signal: stop.signal });
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      this.#update(upload, { state: "failed", words, mayInsist: error instanceof RefusedFileError && error.mayInsist });
    } finally {
      this.#stops.delete(upload.id);
    }
  }

  async #handle(upload: Upload, dropped: DroppedFileBundle, mode: UploadAttemptOptions): Promise<void> {
    const { file } = dropped;
    const words = texts.edit.files;
    this.#update(upload, { state: "checking", done: 0 });
    const { kind } = upload;
    if (kind === undefined || kind === "scene" || kind === "part") throw new RefusedFileError(words.unknown(file.name));
    if (dropped.into?.takes.includes(kind) === false)
      throw new RefusedFileError(words.otherKind(file.name, endingsFor(dropped.into.takes).join(", ")));
    const refusal = refusalOf(file.name, file.size, await this.#ports.quota());
    if (refusal !== null) throw new RefusedFileError(refusal);
    const first = new Uint8Array(await file.slice(0, BEGINNING_BYTES).arrayBuffer());
    if (!beginsRight(file.name, first))
      throw new RefusedFileError(words.otherThanItSays(file.name, endingOf(file.name)));
    if (kind === "model") await this.#handleModel(upload, dropped, mode);
    else await this.#handleMedia(upload, dropped, { kind, ...mode });
  }

  async #handleMedia(
    upload: Upload,
    dropped: DroppedFileBundle,
    mode: UploadAttemptOptions & { kind: StandaloneFileKind },
  ): Promise<void> {
    const [{ kind, signal }, { file }] = [mode, dropped];
    const preview = await this.#ports.look(file, kind);
    if (preview === null && kind !== "splat" && kind !== "sound")
      throw new RefusedFileError(texts.edit.files.unreadable(file.name));
    const name = storedName(file.name, upload.id);
    const url = await this.#send(upload, file, { name, signal });
    const posterUrl = preview?.poster && (await this.#picture(upload, preview.poster, { name, signal }));
    const media: AspectAndPoster = {
      ...(preview?.aspect !== undefined && { aspect: preview.aspect }),
      ...(kind === "video" && posterUrl !== undefined && { posterUrl }),
    };
    await this.#show(upload, url, { kind, dropped, media, signal });
    this.#update(upload, { state: "done", done: 1 });
  }

  /**
   * Uploads a model once the worker has checked it, and shows it as soon as it is sent, while the worker optimises it.
   * A model above `OPTIMISED_BYTES_MAX` is uploaded without the worker.
   */
  async #handleModel(
    upload: Upload,
    dropped: DroppedFileBundle,
    { ignoresFaults, signal }: UploadAttemptOptions,
  ): Promise<void> {
    const { file, parts } = dropped;
    if (file.size > OPTIMISED_BYTES_MAX) {
      const url = await this.#send(upload, file, { name: storedName(file.name, upload.id), signal });
      await this.#show(upload, url, { kind: "model", dropped, signal });
      return this.#update(upload, { state: "done", done: 1, words: texts.edit.files.leftLarge });
    }
    const order: ModelWorkerRequest = {
      bytes: new Uint8Array(await file.arrayBuffer()),
      ...(endingOf(file.name) === "gltf" && { parts: await bytesOf(parts) }),
    };
    signal.throwIfAborted();
    const work = new ModelWorkerPromises();
    const working = this.#ports.work(
      order,
      (report) => {
        work.take(report);
        if (report.kind === "progress" && upload.state === "optimising") this.#update(upload, { done: report.done });
      },
      signal,
    );
    void working.catch((error: unknown) => work.take({ kind: "failed", words: String(error) }));
    const checked = await work.checked;
    if (checked.kind === "failed") throw new RefusedFileError(texts.edit.files.broken(file.name, checked.words));
    if (checked.faults.length > 0 && !ignoresFaults)
      throw new RefusedFileError(texts.edit.files.faulty(file.name, shortened(checked.faults)), true);
    const content = checked.packed === null ? file : new Blob([new Uint8Array(checked.packed)]);
    const ending = endingOf(file.name) === "gltf" ? "glb" : endingOf(file.name);
    const name = storedName(file.name, upload.id, ending);
    const url = await this.#send(upload, content, { name, signal });
    await this.#show(upload, url, { kind: "model", dropped, signal });
    await this.#replace(upload, { name, url, content, last: work.last, signal });
  }

  /**
   * Overwrites the original in the store with the optimised file if that is small enough, so only one file counts
   * towards the quota. From then on every reference to the original's address shows the optimised file: copies, other
   * scenes, and states restored by undo or history. So no earlier state of a scene refers to a missing file. Only this
   * object gets a new address of the same file, so that pages with the original loaded fetch the optimised one.
   */
  async #replace(upload: Upload, { name, url, content, last, signal }: OptimisedReplacementInputs): Promise<void> {
    const words = texts.edit.files;
    this.#update(upload, { state: "optimising", done: 0 });
    const { objectId } = upload;
    const picture = objectId === undefined ? null : await this.#ports.thumbnail(objectId);
    if (picture !== null) await this.#picture(upload, picture, { name, signal });
    this.#update(upload, { state: "optimising" });
    const report = await last;
    if (report.kind !== "optimised") {
      const why = report.kind === "left" ? words.leftAsIs(report.why) : words.leftFor(wordsOfReport(report));
      return this.#update(upload, { state: "done", done: 1, words: why });
    }
    const [before, after] = [content.size, report.bytes.length];
    if (after > before * WORTHWHILE) return this.#update(upload, { state: "done", done: 1, words: words.good });
    this.#update(upload, { state: "replacing", done: 0 });
    const better = new Blob([new Uint8Array(report.bytes)]);
    await this.#send(upload, better, { name, signal }, "replacing");
    const replaced = upload.objectId !== undefined && (await this.#ports.replace(upload.objectId, url, `${url}?v=2`));
    const result = replaced ? words.optimised(bytesInWords(before), bytesInWords(after)) : words.changedMeanwhile;
    this.#update(upload, { state: "done", done: 1, words: result });
  }

  /**
   * Stores a file's thumbnail or poster in the same folder, under the file's name with `.webp` appended. The uploader
   * makes it once; all devices and people with access to the folder use it, and backups include it. A thumbnail cached
   * by each browser would have to be drawn again from the whole file. An upload whose thumbnail can't be stored
   * continues without one.
   */
  async #picture(upload: Upload, picture: Blob, stored: FileSendOptions): Promise<string | undefined> {
    if (!stored.signal.aborted) upload.thumbnailUrl ??= URL.createObjectURL(picture);
    try {
      return await this.#send(upload, picture, { ...stored, name: pictureNameOf(stored.name) }, upload.state);
    } catch (error) {
      if (stored.signal.aborted) throw error;
      return undefined;
    }
  }

  async #send(upload: Upload, content: Blob, { name, signal }: FileSendOptions, state: UploadState = "sending") {
    signal.throwIfAborted();
    this.#update(upload, { state, done: 0 });
    const onProgress = (done: number) => this.#update(upload, { done });
    return await this.#ports.send(content, { path: `${this.#ports.folder()}/${name}`, onProgress, signal });
  }

  async #show(
    upload: Upload,
    url: string,
    shown: { kind: StandaloneFileKind; dropped: DroppedFileBundle; signal: AbortSignal; media?: AspectAndPoster },
  ): Promise<void> {
    const { kind, dropped, signal, media = {} } = shown;
    const { into } = dropped;
    signal.throwIfAborted();
    if (into !== undefined) {
      if (!(await into.put({ kind, url, media }))) throw new Error(texts.edit.files.states.failed);
      return this.#update(upload, { objectId: into.objectId });
    }
    const objectId = newId(
      upload.name
        .replace(/\.[^.]*$/, "")
        .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
        .slice(0, 40),
    );
    await this.#ports.show(objectId, objectFor(kind, url, { objectId, media }), dropped);
    this.#update(upload, { objectId });
  }

  #update(upload: Upload, change: Partial<Upload>): void {
    Object.assign(upload, change);
    if (change.state === "done") this.sent += 1;
    this.#changed();
  }
}

/** The first faults and the number of further ones. */
function shortened(faults: readonly string[]): string {
  const more = faults.length - FAULTS_SHOWN;
  const shown = faults.slice(0, FAULTS_SHOWN);
  return [...shown, ...(more > 0 ? [texts.edit.files.moreFaults(more)] : [])].join(" ");
}

/** Revokes the thumbnail's address; otherwise the page keeps its bytes while it is open. */
function forgetPicture(upload: Upload): void {
  if (upload.thumbnailUrl !== undefined) URL.revokeObjectURL(upload.thumbnailUrl);
  upload.thumbnailUrl = undefined;
}

interface UploadAttemptOptions {
  readonly ignoresFaults: boolean;
  readonly signal: AbortSignal;
}

/** The file's name in the account's folder, and the signal that cancels its upload. */
interface FileSendOptions {
  readonly name: string;
  readonly signal: AbortSignal;
}

interface OptimisedReplacementInputs extends FileSendOptions {
  readonly url: string;
  readonly content: Blob;
  readonly last: Promise<ModelWorkerReport>;
}

/** The worker's reports as two promises: the check, and the last report, which may be a failure. */
class ModelWorkerPromises {
  readonly checked: Promise<Extract<ModelWorkerReport, { kind: "checked" | "failed" }>>;
  readonly last: Promise<ModelWorkerReport>;
  #check: (report: Extract<ModelWorkerReport, { kind: "checked" | "failed" }>) => void = () => undefined;
  #end: (report: ModelWorkerReport) => void = () => undefined;

  constructor() {
    this.checked = new Promise((resolve) => {
      this.#check = resolve;
    });
    this.last = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  take(report: ModelWorkerReport): void {
    if (report.kind === "checked" || report.kind === "failed") this.#check(report);
    if (report.kind !== "checked" && report.kind !== "progress") this.#end(report);
    // The worker stops once it has found faults, so a model that is uploaded in spite of them isn't optimised.
    if (report.kind === "checked" && report.faults.length > 0) this.#end({ kind: "failed", words: "" });
  }
}

function wordsOfReport(report: ModelWorkerReport): string {
  return report.kind === "failed" ? report.words : "";
}

async function bytesOf(parts: readonly File[]): Promise<Record<string, Uint8Array<ArrayBuffer>>> {
  const read = parts.map(async (part) => [part.name, new Uint8Array(await part.arrayBuffer())] as const);
  return Object.fromEntries(await Promise.all(read));
}

/** Groups dropped files: each `.gltf` gets all parts and images; every other file is an upload of its own. */
export function groupedFiles(files: readonly File[]): readonly DroppedFileBundle[] {
  const models = files.filter(({ name }) => endingOf(name) === "gltf");
  const isPart = (file: File): boolean =>
    models.length > 0 && !models.includes(file) && ["part", "image"].includes(kindOf(file.name) ?? "");
  const own = files.filter((file) => !isPart(file));
  const parts = files.filter(isPart);
  return own.map((file, index) => ({ file, parts: models.includes(file) ? parts : [], index }));
}
