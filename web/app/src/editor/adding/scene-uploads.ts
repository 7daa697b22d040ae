/** Connects `uploads.ts` to the editor's page and scene. */
import type { SceneSession } from "@stoa/client";
import { NEW_AHEAD_M } from "../../limits.ts";
import type { ScenePoint, SceneViewController } from "../../scene/stage.ts";
import { texts } from "../../texts/texts.ts";
import type { Editor } from "../editor.ts";
import { previewOf } from "../files/media-preview.ts";
import { sendFile } from "../files/send-file.ts";
import { type QuotaLookupResult, requestQuota } from "../files/storage-quota.ts";
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
  #quota: QuotaLookupResult | undefined;
  #quotaVersion = 0;

  constructor(host: UploadsHost) {
    this.#host = host;
    this.uploads = new UploadQueue({
      quota: () => this.requestQuota(),
      folder: () => this.folder,
      send: sendFile,
      work: workOnModel,
      look: previewOf,
      show: async (objectId, made, { index, at }) => {
        const first = at ?? host.stage?.placeAhead(NEW_AHEAD_M) ?? { x: 0, y: 0, z: 0 };
        const position = { ...first, x: first.x + index * DROP_APART_M };
        if (!(await host.editor.addAs(objectId, made, position))) throw new Error(texts.edit.files.states.failed);
      },
      thumbnail: (objectId) =>
        host.stage?.thumbnail(objectId, THUMBNAIL_PIXELS).catch(() => null) ?? Promise.resolve(null),
      replace: (objectId, from, to) => this.#showOptimised(objectId, from, to),
      changed: () => host.requestUpdate(),
    });
  }

  /** Incremented by each change of the list and each result of a quota request. */
  get version(): number {
    return this.uploads.version + this.#quotaVersion;
  }

  /** The result of the last quota request; `undefined` before the first. */
  get quota(): QuotaLookupResult | undefined {
    return this.#quota;
  }

  /**
   * The store folder of an upload. People who may read a scene can read the files in its folder, to which its owner
   * uploads. Uploads by other accounts are public.
   */
  get folder(): string {
    const { session, scene: whole } = this.#host;
    const name = session?.me.username ?? "";
    const [namespace, scene = ""] = whole.split("/");
    return namespace === name ? `users/${name}/scenes/${scene}` : `users/${name}/uploads`;
  }

  async requestQuota(): Promise<QuotaLookupResult> {
    const quota = this.#host.session?.me.guest === true ? "guest" : await requestQuota();
    this.#quota = quota;
    this.#quotaVersion += 1;
    this.#host.requestUpdate();
    return quota;
  }

  /** Uploads files and adds an object for each, at a position or ahead of the viewer. */
  add(files: readonly File[], at?: ScenePoint): void {
    this.uploads.add(groupedFiles(files).map((dropped) => (at === undefined ? dropped : { ...dropped, at })));
  }

  /** Uploads the first file, for a `.gltf` with all parts and images, and shows it by an existing object. */
  give(files: readonly File[], into: FileReceivingObject): void {
    this.uploads.add(
      groupedFiles(files)
        .slice(0, 1)
        .map((dropped) => ({ ...dropped, into })),
    );
  }

  /**
   * Points an object at the optimised form of its uploaded model. Returns false if the object no longer has the
   * original's address, because its file was changed meanwhile, or if the change fails.
   */
  async #showOptimised(objectId: string, from: string, to: string): Promise<boolean> {
    const { editor } = this.#host;
    if (editor.objects.get(objectId)?.attributes.url !== from) return false;
    return editor.run([{ kind: "update", objectId, attributes: { url: to } }]);
  }
}
