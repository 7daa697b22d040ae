/** The files on their way into one scene: what `uploads.ts` asks for, as the editor's page has it. */
import type { SceneSession } from "@stoa/client";
import { NEW_AHEAD_M } from "../../limits.ts";
import type { ScenePosition, Stage } from "../../scene/stage.ts";
import { texts } from "../../texts/texts.ts";
import type { Editor } from "../editor.ts";
import { previewOf } from "../files/media-preview.ts";
import { sendFile } from "../files/send-file.ts";
import { askRoom, type QuotaResponse } from "../files/storage-quota.ts";
import { type Into, sorted, Uploads } from "../files/uploads.ts";
import { DROP_APART_M, THUMBNAIL_PIXELS } from "../limits.ts";
import { workOnModel } from "../models/model-worker-client.ts";

/** What the editor's element gives them. */
export interface UploadsHost {
  readonly editor: Editor;
  readonly session: SceneSession | undefined;
  readonly stage: Stage | undefined;
  readonly scene: string;
  requestUpdate(): void;
}

/** The uploads of one editor. */
export class SceneUploads {
  readonly uploads: Uploads;
  readonly #host: UploadsHost;
  #room: QuotaResponse | undefined;
  #asked = 0;
  /** Where the last files were dropped. */
  #at: ScenePosition | undefined;

  constructor(host: UploadsHost) {
    this.#host = host;
    this.uploads = new Uploads({
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

  /** Grows with each change: of the list, and of what room there is. */
  get version(): number {
    return this.uploads.version + this.#asked;
  }

  /** What room there is, as the realm said last; `undefined`: it wasn't asked. */
  get room(): QuotaResponse | undefined {
    return this.#room;
  }

  /** A scene's own files are read by who may enter it; those in somebody else's scene are everybody's. */
  get folder(): string {
    const { session, scene: whole } = this.#host;
    const name = session?.me.username ?? "";
    const [namespace, scene = ""] = whole.split("/");
    return namespace === name ? `users/${name}/scenes/${scene}` : `users/${name}/uploads`;
  }

  async askRoom(): Promise<QuotaResponse> {
    const room = this.#host.session?.me.guest === true ? "guest" : await askRoom();
    this.#room = room;
    this.#asked += 1;
    this.#host.requestUpdate();
    return room;
  }

  /** Files for objects of their own, at a place or before one's eyes. */
  add(files: readonly File[], at?: ScenePosition): void {
    this.#at = at;
    this.uploads.add(sorted(files));
  }

  /** A file for an object that is there; the others are parts of it. */
  give(files: readonly File[], into: Into): void {
    this.uploads.add(
      sorted(files)
        .slice(0, 1)
        .map((dropped) => ({ ...dropped, into })),
    );
  }

  /** Only if it still shows what was sent: somebody may have chosen another meanwhile. */
  async #replace(objectId: string, from: string, to: string): Promise<boolean> {
    const { editor } = this.#host;
    if (editor.objects.get(objectId)?.attributes.url !== from) return false;
    return editor.run([{ kind: "update", objectId, attributes: { url: to } }]);
  }
}
