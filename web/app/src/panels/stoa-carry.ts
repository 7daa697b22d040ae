import { type Api, isName, type SceneSession } from "@stoa/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { textOf } from "../controls/form-fields.ts";
import { NEW_AHEAD_M } from "../limits.ts";
import { save } from "../scene/scene-transfer.ts";
import type { SceneViewController } from "../scene/stage.ts";
import { sharedStyles } from "../styles/shared.ts";
import { bytesInWords } from "../texts/byte-sizes.ts";
import { errorText } from "../texts/error-texts.ts";
import { texts } from "../texts/texts.ts";

const words = texts.scenes.carry;

/** Actions on a whole scene: export, duplicate, import. Emits `stoa-made` with the name of a duplicate. */
export class StoaSceneTransferPanel extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    session: { attribute: false },
    stage: { attribute: false },
    scene: {},
    account: {},
    doing: { state: true },
    result: { state: true },
    wrong: { state: true },
    copy: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    css`
      :host {
        display: grid;
        gap: var(--space-3);
      }
      /* In a narrow card the name field gets its own line. */
      form.pair {
        grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr));
      }
      p:empty {
        margin-top: calc(-1 * var(--space-3));
      }
    `,
  ];
  declare api: Api | undefined;
  /** The session in this scene, if there is one. It allows export and import as a 3D model. */
  declare session: SceneSession | undefined;
  declare stage: SceneViewController | undefined;
  declare scene: string;
  /** The account whose namespace receives a duplicate, unless the typed name has another namespace. */
  declare account: string;
  /** The running action, for the user; empty for none. */
  declare doing: string;
  declare result: string;
  declare wrong: string;
  /** The scene that was duplicated last. */
  declare copy: string;

  constructor() {
    super();
    this.scene = "";
    this.account = "";
    this.doing = "";
    this.result = "";
    this.wrong = "";
    this.copy = "";
  }

  override render() {
    const isBusy = this.doing !== "";
    return html`<div class="row-of-buttons">
        <button type="button" name="save" ?disabled=${isBusy} @click=${() => void this.#save()}>${words.save}</button>
      </div>
      <p class="small muted">${words.saveText}</p>
      <form class="pair" @submit=${(event: SubmitEvent) => void this.#copy(event)}>
        <label
          >${words.copyName}<input name="copy" required autocomplete="off" .value=${`${this.scene.split("/")[1] ?? ""}-2`}
        /></label>
        <button ?disabled=${isBusy}>${words.copy}</button>
      </form>
      ${this.session === undefined ? nothing : this.#models(isBusy)}
      <p class="told" role="status">${isBusy ? this.doing : this.#done()}</p>
      <p class="told wrong" role="alert">${this.wrong === "" ? nothing : this.wrong}</p>`;
  }

  #models(isBusy: boolean): TemplateResult {
    return html`<div class="row-of-buttons">
        <button type="button" name="model" ?disabled=${isBusy} @click=${() => void this.#saveModel()}>${words.model}</button>
      </div>
      <p class="small muted">${words.modelText}</p>
      <div class="row-of-buttons">
        <button type="button" name="bring" ?disabled=${isBusy} @click=${() => this.#choose()}>${words.bring}</button>
        <input
          type="file"
          hidden
          aria-hidden="true"
          accept=".glb,model/gltf-binary"
          @change=${(event: Event) => void this.#importGltf(event)}
        />
      </div>
      <p class="small muted">${words.bringText}</p>`;
  }

  #done(): TemplateResult | string {
    if (this.copy === "") return this.result;
    return html`${words.copied(this.copy)} <a href="/${this.copy}">${texts.scenes.make.enter}</a>`;
  }

  #save(): Promise<void> {
    return this.#do(words.saving, async (api) => {
      const name = `${this.scene.replace("/", "-")}.jsonl`;
      const content = await api.exportScene(this.scene);
      save(content, name);
      this.result = words.saved(name, bytesInWords(content.size));
    });
  }

  /** Saves the scene as a binary glTF. The exporter is large, so it is loaded on demand. */
  #saveModel(): Promise<void> {
    return this.#do(words.modelSaving, async () => {
      const scene = document.querySelector("a-scene");
      const { exportScene } = await import("../editor/gltf/gltf-export.ts");
      const model = scene === null || !this.session ? undefined : await exportScene(scene, this.session.objects);
      if (model === undefined) {
        this.wrong = words.notDrawn;
        return;
      }
      const name = `${this.scene.replace("/", "-")}.glb`;
      save(model.file, name);
      const lost = model.texturesLost === 0 ? "" : ` ${words.textureLost(model.texturesLost)}`;
      this.result = `${words.saved(name, bytesInWords(model.file.size))}${lost}`;
    });
  }

  #choose(): void {
    this.renderRoot.querySelector<HTMLInputElement>("input[type=file]")?.click();
  }

  async #importGltf({ target }: Event): Promise<void> {
    const file = target instanceof HTMLInputElement ? target.files?.[0] : undefined;
    const { session, scene } = this;
    if (file === undefined || session === undefined || !(target instanceof HTMLInputElement)) return;
    // The current position, since the user may walk on during the import.
    const at = this.stage?.placeAhead(NEW_AHEAD_M) ?? { x: 0, y: 0, z: 0 };
    await this.#do(words.bringing, async () => {
      const { importGltf } = await import("../editor/gltf/gltf-import.ts");
      const { places, doors } = await importGltf(file, { session, scene, at }, (done) => {
        this.doing = done < 1 ? texts.scenes.make.sending(Math.floor(100 * done)) : words.bringing;
      });
      this.result = words.brought(places, doors);
    });
    target.value = "";
  }

  #copy(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const typed = textOf(event.target, "copy").trim();
    const to = typed.includes("/") ? typed : `${this.account}/${typed}`;
    const parts = to.split("/");
    if (parts.length !== 2 || !parts.every(isName)) {
      this.wrong = texts.home.badName;
      return Promise.resolve();
    }
    return this.#do(words.copying, async (api) => {
      await api.copyScene(this.scene, to);
      this.copy = to;
      this.dispatchEvent(new CustomEvent<string>("stoa-made", { detail: to, bubbles: true, composed: true }));
    });
  }

  async #do(doing: string, what: (api: Api) => Promise<void>): Promise<void> {
    if (this.api === undefined) return;
    [this.doing, this.result, this.wrong, this.copy] = [doing, "", "", ""];
    try {
      await what(this.api);
    } catch (error) {
      this.wrong = errorText(error);
    } finally {
      this.doing = "";
    }
  }
}
