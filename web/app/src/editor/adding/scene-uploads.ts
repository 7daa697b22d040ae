/** Connects `uploads.ts` to the editor's page and scene. */
import type { SceneSession } from "@stoa/client";
import { NEW_AHEAD_M } from "../../limits.ts";
import type { ScenePoint, SceneViewController } from "../../scene/stage.ts";
import { texts } from "../../texts/texts.ts";
import type { Editor } from "../editor.ts";
import { previewOf } from "../files/media-preview.ts";
import { sendFile } from "../files/send-file.ts";
import { askRoom, type QuotaLookupResult } from "../files/storage-quota.ts";
import { type FileReceivingObject, groupedFiles, UploadQueue } from "../files/uploads.ts";
import { DROP_APART_M, THUMBNAIL_PIXELS } from "../limits.ts";
import { workOnModel } from "../models/model-worker-client.ts";

/** The surroundings that the editor's element provides. */
export interface UploadsHost {
  readonly editor: Editor;
  readonly session: SceneSession | undefined;
  readonly stage: SceneViewController | undefined;
  readonly scene: string;
  requestUpdate(): void;
}

/** The uploads of one editor, with the storage quota. */
export class SceneUploads {
  readonly uploads: UploadQueue;
  readonly #host: UploadsHost;
  #room: QuotaLookupResult | undefined;
  #asked = 0;
  /** The position of the last drop. */
  #at: ScenePoint | undefined;

  constructor(host: UploadsHost) {
    this.#host = host;
    this.uploads = new UploadQueue({
      room: () => this.askRoom(),
      folder: () => this.folder,
      send: sendFile,
      work: workOnModel,
      look: previewOf,
      show: async (objectId, made, place) => {
        const at = this.#at ?? host.stage?.placeAhead(NEW_AHEAD_M) ?? { x: 0, y: 0, z: 0 };
        const beside = { ...at, x: at.x + place * DROP_APART_M };
        if (!(await host.editor.addAs(objectId, made, beside))) throw new Error(texts.edit.files.states.failed);
      },
      thumbnail: (objectId) =>
        host.stage?.thumbnail(objectId, THUMBNAIL_PIXELS).catch(() => null) ?? Promise.resolve(null),
      replace: (objectId, from, to) => this.#replace(objectId, from, to),
      changed: () => host.requestUpdate(),
    });
  }

  /** Incremented by each change of the list or of the storage quota. */
  get version(): number {
    return this.uploads.version + this.#asked;
  }

  /** The quota that the realm reported last; `undefined` before the first request. */
  get room(): QuotaLookupResult | undefined {
    return this.#room;
  }

  /**
   * The store folder of an upload. People who may enter a scene can read the files of its owner; files uploaded to
   * another's scene are public.
   */
  get folder(): string {
    const { session, scene: whole } = this.#host;
    const name = session?.me.username ?? "";
    const [namespace, scene = ""] = whole.split("/");
    return namespace === name ? `users/${name}/scenes/${scene}` : `users/${name}/uploads`;
  }

  async askRoom(): Promise<QuotaLookupResult> {
    const room = this.#host.session?.me.guest === true ? "guest" : await askRoom();
    this.#room = room;
    this.#asked += 1;
    this.#host.requestUpdate();
    return room;
  }

  /** Uploads files and adds an object for each, at a position or ahead of the viewer. */
  add(files: readonly File[], at?: ScenePoint): void {
    this.#at = at;
    this.uploads.add(groupedFiles(files));
  }

  /** Uploads the first file, with its parts, for an existing object. */
  give(files: readonly File[], into: FileReceivingObject): void {
    this.uploads.add(
      groupedFiles(files)
        .slice(0, 1)
        .map((dropped) => ({ ...dropped, into })),
    );
  }

  /** Replaces the address only if the object still shows the original: its file may have been changed meanwhile. */
  async #replace(objectId: string, from: string, to: string): Promise<boolean> {
    const { editor } = this.#host;
    if (editor.objects.get(objectId)?.attributes.url !== from) return false;
    return editor.run([{ kind: "update", objectId, attributes: { url: to } }]);
  }
}
