import { type Account, type Api, isName } from "@stoa/client";
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { textOf } from "../controls/form-fields.ts";
import { beginsAsScene, fileLimit, importScene, type SceneImportResult } from "../scene/scene-transfer.ts";
import { sharedStyles } from "../styles/shared.ts";
import { TEMPLATES, type TemplateId } from "../templates/template-ids.ts";
import { bytesInWords } from "../texts/byte-sizes.ts";
import { errorText } from "../texts/error-texts.ts";
import { texts } from "../texts/texts.ts";
import { newSceneStyles, plans } from "./new-scene-styles.ts";

/** The contents of a new scene. */
type NewSceneContent = TemplateId | "file";

const words = texts.scenes.make;

/**
 * Creates a scene from a name, a template or file, and its visibility. Emits `stoa-made` with `<namespace>/<scene>`.
 */
export class StoaNewSceneForm extends LitElement {
  static override readonly properties = {
    api: { attribute: false },
    account: { attribute: false },
    taken: { attribute: false },
    begin: { state: true },
    wrong: { state: true },
    doing: { state: true },
    made: { state: true },
    most: { state: true },
  };
  static override readonly styles = [sharedStyles, newSceneStyles];
  declare api: Api | undefined;
  declare account: Account | undefined;
  /** The existing scenes that the user can see. */
  declare taken: readonly string[];
  declare begin: NewSceneContent;
  declare wrong: string;
  /** The running action, for the user; empty for none. */
  declare doing: string;
  declare made: (SceneImportResult & { readonly scene: string }) | undefined;
  /** Largest import in bytes; requested when the user selects to begin with a file. `undefined` if unknown. */
  declare most: number | undefined;

  constructor() {
    super();
    this.taken = [];
    this.begin = "empty";
    this.wrong = "";
    this.doing = "";
  }

  override render() {
    const { owner = false, username = null } = this.account ?? {};
    return html`<form @submit=${(event: SubmitEvent) => void this.#create(event)}>
      <fieldset>
        <legend>${words.beginWith}</legend>
        <div class="begin">
          ${TEMPLATES.map((id) => this.#choice(id, texts.scenes.templates[id]))}
          ${this.#choice("file", { name: words.file, text: words.fileText })}
        </div>
      </fieldset>
      ${this.begin === "file" ? this.#file() : nothing}
      <label
        >${texts.home.newName}<input
          name="scene"
          required
          autocomplete="off"
          aria-describedby="folder"
          placeholder=${texts.home.newExample}
      /></label>
      <p id="folder" class="small muted">${(owner ? texts.home.newFolderAnywhere : texts.home.newFolder)(username ?? "")}</p>
      ${
        this.begin === "file"
          ? nothing
          : html`<label class="row"><input name="private" type="checkbox" />${texts.home.private}</label>`
      }
      <div><button class="primary" ?disabled=${this.doing !== ""}>${texts.home.create}</button></div>
      <p class="told" role="status">${this.doing === "" ? this.#done() : this.doing}</p>
      <p class="told wrong" role="alert">${this.wrong === "" ? nothing : this.wrong}</p>
    </form>`;
  }

  #choice(id: NewSceneContent, { name, text }: { readonly name: string; readonly text: string }): TemplateResult {
    return html`<label class="choice"
      ><input
        type="radio"
        name="begin"
        value=${id}
        .checked=${this.begin === id}
        @change=${() => this.#choose(id)}
      />${plans[id]}<strong>${name}</strong><span class="small muted">${text}</span></label
    >`;
  }

  #file(): TemplateResult {
    return html`<label
      >${words.chooseFile}<input name="file" type="file" accept=".jsonl,.ndjson,.json,application/x-ndjson" />${
        this.most === undefined ? nothing : html`<span>${words.fileLimit(bytesInWords(this.most))}</span>`
      }</label
    >`;
  }

  #done(): TemplateResult | typeof nothing {
    const { made } = this;
    if (made === undefined) return nothing;
    const { scene, objects, files, missing } = made;
    return html`${words.made(scene)} ${words.madeWith(objects, files)}
      <a href="/${scene}">${words.enter}</a>
      ${missing.length === 0 ? nothing : html`<br />${words.missing(missing)}`}`;
  }

  #choose(id: NewSceneContent): void {
    this.begin = id;
    if (id === "file" && this.most === undefined)
      void fileLimit().then((most) => {
        this.most = most;
      });
  }

  /** The typed name, with the account's namespace if none was typed; `undefined` if it is invalid. */
  #nameOf(typed: string): string | undefined {
    const name = typed.includes("/") ? typed : `${this.account?.username}/${typed}`;
    const parts = name.split("/");
    return parts.length === 2 && parts.every(isName) ? name : undefined;
  }

  async #create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { target } = event;
    this.wrong = "";
    this.made = undefined;
    const scene = this.#nameOf(textOf(target, "scene").trim());
    if (scene === undefined) {
      this.wrong = texts.home.badName;
      return;
    }
    if (this.taken.includes(scene)) {
      this.wrong = texts.home.taken(scene);
      return;
    }
    try {
      const content = await this.#content(scene, target);
      if (content === undefined) {
        this.wrong = words.noFile;
        return;
      }
      // Checked before sending, since the realm's error only gives a position in the file.
      if (content instanceof File && !(await beginsAsScene(content))) {
        this.wrong = words.noScene(content.name);
        return;
      }
      this.doing = words.working;
      this.made = { scene, ...(await importScene(scene, content, (done) => this.#tell(done))) };
      this.dispatchEvent(new CustomEvent<string>("stoa-made", { detail: scene, bubbles: true, composed: true }));
    } catch (error) {
      this.wrong = errorText(error);
    } finally {
      this.doing = "";
    }
  }

  /** A template, which is loaded now, or the selected file. */
  async #content(scene: string, form: EventTarget | null): Promise<Blob | undefined> {
    if (this.begin !== "file") {
      const { templateText } = await import("../templates/templates.ts");
      return new Blob([templateText(this.begin, scene, { public_read: textOf(form, "private") === "" })]);
    }
    const file = form instanceof HTMLFormElement ? new FormData(form).get("file") : null;
    return file instanceof File && file.size > 0 ? file : undefined;
  }

  #tell(done: number): void {
    this.doing = done < 1 ? words.sending(Math.floor(100 * done)) : words.working;
  }
}
