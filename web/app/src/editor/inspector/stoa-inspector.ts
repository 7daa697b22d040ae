import {
  type Api,
  type Attribute,
  findWrong,
  type Group,
  type SceneObject,
  type SceneSession,
  shownName,
  type Wrong,
} from "@stoa/client";
import { groups, objectTypes } from "@stoa/client/generated";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { showAgain, textOf, typedIn } from "../../controls/form-fields.ts";
import { STEP_M } from "../../limits.ts";
import type { SceneViewController } from "../../scene/stage.ts";
import { sharedStyles } from "../../styles/shared.ts";
import { texts } from "../../texts/texts.ts";
import type { SceneUploads } from "../adding/scene-uploads.ts";
import { type Editor, isLocked, nameOf, parentOf } from "../editor.ts";
import { mainFile } from "../files/main-file.ts";
import { HoldRedrawController } from "../hold-redraw-controller.ts";
import { type Axis, colorKey, numbersOf, type TransformAttributeName, withNumber } from "../objects/object-fields.ts";
import { abilityDoes, abilityName } from "./abilities.ts";
import { addable, beginningOf, componentsOf, ownAttributes } from "./components.ts";
import { labelOf, meaningOf, type NamedAttribute, parted, type VisibleAndFoldedAttributes, wordsOf } from "./fields.ts";
import type { FieldPatch } from "./stoa-field.ts";

const words = texts.edit.details;
const { abilities, names } = texts.edit;

/** Buttons and keys that move the selection by a step. */
const NUDGES: readonly (readonly [label: string, key: string, axis: Axis, by: number])[] = [
  [words.nudges.left, "ArrowLeft", "x", -STEP_M],
  [words.nudges.right, "ArrowRight", "x", STEP_M],
  [words.nudges.away, "ArrowUp", "z", -STEP_M],
  [words.nudges.near, "ArrowDown", "z", STEP_M],
  [words.nudges.up, "PageUp", "y", STEP_M],
  [words.nudges.down, "PageDown", "y", -STEP_M],
];
/** Attributes of three numbers that every object has. */
const TRIPLES = [
  { key: "position", label: words.position, step: 0.1 },
  { key: "rotation", label: words.rotation, step: 15 },
  { key: "scale", label: words.scale, step: 0.1 },
] as const;
const AXES: readonly Axis[] = ["x", "y", "z"];
const OBJECT_TYPES: Readonly<Record<string, Group>> = objectTypes;

/** The details tab: the fields of one object by its schema. */
export class StoaDetailsTab extends LitElement {
  static override readonly properties = {
    editor: { attribute: false },
    session: { attribute: false },
    api: { attribute: false },
    stage: { attribute: false },
    uploads: { attribute: false },
    version: { type: Number },
    scene: {},
    object: { attribute: false },
    wrong: { state: true },
    isNaming: { state: true },
    wrongName: { state: true },
  };
  static override readonly styles = [
    sharedStyles,
    css`
      :host,
      section {
        display: grid;
        gap: var(--space-3);
      }
      h3 {
        border-top: 1px solid var(--line);
        padding-top: var(--space-3);
      }
      .id {
        overflow-wrap: anywhere;
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0 var(--space-2);
      }
      .id button {
        min-height: var(--target-small);
        margin-inline-start: auto;
      }
      form {
        display: grid;
        gap: var(--space-2);
      }
      fieldset {
        border: 0;
        padding: 0;
        margin: 0;
        display: grid;
        grid-template-columns: repeat(3, 1fr);
        gap: var(--space-2);
        min-width: 0;
      }
      legend {
        padding: 0 0 var(--space-1);
        font-size: var(--text-s);
        color: var(--muted);
      }
      .arrows {
        display: grid;
        grid-template-columns: repeat(3, 1fr);
        gap: var(--space-2);
      }
      .axis {
        grid-template-columns: auto 1fr;
        align-items: center;
      }
      summary {
        cursor: pointer;
        padding: var(--space-1) 0;
      }
      .component {
        display: grid;
        grid-template-columns: 1fr auto;
        gap: var(--space-2);
        align-items: start;
      }
      .component button {
        min-height: 2rem;
        padding: 0 var(--space-2);
      }
      .holder {
        border-left: 4px solid var(--accent);
        padding-left: var(--space-2);
      }
    `,
  ];
  declare editor: Editor | undefined;
  declare session: SceneSession | undefined;
  declare api: Api | undefined;
  declare stage: SceneViewController | undefined;
  declare uploads: SceneUploads | undefined;
  /** Incremented by each change of the uploads. */
  declare version: number;
  declare scene: string;
  declare object: SceneObject | undefined;
  declare wrong: string;
  /** Whether the name is being edited. */
  declare isNaming: boolean;
  /** The reason why the typed name is refused. */
  declare wrongName: string;
  /** The attributes of the object's type, in the order they had when the object was selected. */
  #sections: (VisibleAndFoldedAttributes & { readonly type: string }) | undefined;
  /** The behaviour that was added last. */
  #added: { readonly to: string; readonly ability: string } | undefined;

  constructor() {
    super();
    new HoldRedrawController(this);
    this.scene = "";
    this.version = 0;
    this.wrong = "";
    this.isNaming = false;
    this.wrongName = "";
  }

  override render() {
    const { object, editor } = this;
    if (object === undefined || editor === undefined) return nothing;
    const { attributes, objectId } = object;
    const locked = isLocked(object);
    const file = mainFile(objectId, attributes);
    const holder = editor.heldBy(objectId);
    return html`${this.isNaming ? this.#naming(object) : this.#head(object)}
      ${holder ? html`<p class="holder" role="status">${texts.edit.heldBy(shownName(holder))}</p>` : nothing}
      ${this.#portal(object)}${this.#file(editor.boardOf(object))}
      ${locked ? html`<p class="muted" role="status">${texts.edit.locked}</p>` : this.#place(object)}
      ${this.#hangsOn(object)}
      <section aria-label=${words.own}>
        <h3>${words.own}</h3>
        ${this.#colour(object)}
        ${this.#own(object, file?.key)}
      </section>
      <section aria-label=${abilities.title}>
        <h3>${abilities.title}</h3>
        ${repeat(
          componentsOf(attributes),
          ([name]) => name,
          (one) => this.#component(one),
        )}
        <stoa-abilities .offered=${addable(attributes)} @stoa-ability=${(event: CustomEvent<string>) => this.#add(event.detail)}></stoa-abilities>
      </section>
      ${this.wrong === "" ? nothing : html`<p class="told wrong" role="alert">${this.wrong}</p>`}`;
  }

  #head({ objectId, attributes }: SceneObject): TemplateResult {
    return html`<p class="id" data-id=${objectId}>
      <strong>${nameOf(objectId, attributes)}</strong> <span class="muted">${String(attributes.object_type ?? "")}</span>
      <button type="button" class="plain" name="rename" @click=${() => this.#setNaming(true)}>${names.rename}</button>
    </p>`;
  }

  #naming(object: SceneObject): TemplateResult {
    return html`<form @submit=${(event: SubmitEvent) => void this.#rename(event, object)}>
      <label
        >${names.name}<input
          name="name"
          required
          autocomplete="off"
          aria-describedby="name-note name-wrong"
          .value=${nameOf(object.objectId, object.attributes)}
          @keydown=${(event: KeyboardEvent) => this.#nameKey(event)}
      /></label>
      <small id="name-note" class="muted">${names.note}</small>
      <span id="name-wrong" class="wrong" role="alert">${this.wrongName}</span>
      <span class="row-of-buttons"
        ><button>${names.save}</button
        ><button type="button" class="plain" @click=${() => this.#setNaming(false)}>${names.cancel}</button></span
      >
    </form>`;
  }

  /** Ends the editing of the name on Escape, before the page's own Escape closes the panel. */
  #nameKey(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    this.#setNaming(false);
  }

  /** Begins or ends the editing of the name, and moves the focus to the name field or back to the button. */
  #setNaming(isNaming: boolean): void {
    this.isNaming = isNaming;
    this.wrongName = "";
    void this.updateComplete.then(() => {
      const field = this.renderRoot.querySelector<HTMLInputElement>("input[name=name]");
      field?.select();
      (field ?? this.renderRoot.querySelector<HTMLElement>("[name=rename]"))?.focus();
    });
  }

  /** Renames the object by the submitted form. A refused name stays in the form, with the reason. */
  async #rename(event: SubmitEvent, object: SceneObject): Promise<void> {
    event.preventDefault();
    const typed = textOf(event.target, "name");
    const isSame = typed === nameOf(object.objectId, object.attributes);
    this.wrongName = isSame ? "" : (this.editor?.whyNoName(object, typed) ?? "");
    if (isSame || (await this.editor?.rename(object, typed))) this.#setNaming(false);
  }

  /** The field of a portal's target. */
  #portal({ attributes: { portal } }: SceneObject): TemplateResult | typeof nothing {
    if (typeof portal !== "object" || portal === null) return nothing;
    const to = "scene" in portal && typeof portal.scene === "string" ? portal.scene : "";
    return html`<stoa-doorway
      .api=${this.api}
      .here=${this.scene}
      .to=${to}
      @stoa-patch=${(event: CustomEvent<FieldPatch>) => this.#set(event.detail)}
    ></stoa-doorway>`;
  }

  /** The field of an object's main file, shown above all fields except a portal's target. */
  #file({ objectId, attributes }: SceneObject): TemplateResult | typeof nothing {
    const file = mainFile(objectId, attributes);
    return file === undefined
      ? nothing
      : html`<stoa-main-file
          .editor=${this.editor}
          .stage=${this.stage}
          .uploads=${this.uploads}
          .version=${this.version}
          .objectId=${objectId}
          .file=${file}
        ></stoa-main-file>`;
  }

  #place(object: SceneObject): TemplateResult {
    const { attributes } = object;
    return html`<div class="arrows" role="group" aria-label=${words.moveBy(STEP_M)} @keydown=${(event: KeyboardEvent) => this.#nudgeByKey(event)}>
        ${NUDGES.map(
          ([label, , axis, by]) =>
            html`<button type="button" @click=${() => this.editor?.nudge(axis, by)}>${label}</button>`,
        )}
      </div>
      ${TRIPLES.map(
        ({ key, label, step }) => html`<fieldset>
          <legend>${label}</legend>
          ${AXES.map(
            (axis) => html`<label class="axis"
              >${axis}<input
                type="number"
                step=${step}
                aria-label=${`${label} ${axis}`}
                .value=${String(numbersOf(attributes, key)[axis])}
                @change=${(event: Event) => this.#setNumber(event, object, key, axis)}
            /></label>`,
          )}
        </fieldset>`,
      )}`;
  }

  /** Sets one number of the position, rotation or scale. An emptied field changes nothing; it doesn't mean 0. */
  #setNumber(event: Event, { attributes }: SceneObject, key: TransformAttributeName, axis: Axis): void {
    const typed = typedIn(event).trim();
    if (typed === "") showAgain(event, String(numbersOf(attributes, key)[axis]));
    else this.#set(withNumber(attributes, key, axis, Number(typed)));
  }

  #hangsOn(object: SceneObject): TemplateResult {
    const { editor } = this;
    const parent = parentOf(object);
    const others = [...(editor?.objects.values() ?? [])]
      .filter(({ objectId, type }) => type === "object" && objectId !== object.objectId)
      .map(({ objectId }) => objectId)
      .sort();
    const known = parent === null || others.includes(parent) ? others : [parent, ...others];
    return html`<label
      >${words.hangsOn}<select ?disabled=${isLocked(object)} @change=${(event: Event) => this.editor?.reparent([object.objectId], typedIn(event) || null)}>
        <option value="" ?selected=${parent === null}>${words.nothing}</option>
        ${known.map((id) => html`<option value=${id} ?selected=${id === parent}>${editor?.nameOf(id) ?? id}</option>`)}
      </select></label
    >`;
  }

  #colour({ attributes }: SceneObject): TemplateResult | typeof nothing {
    const color = colorKey(attributes);
    if (color === undefined || ownAttributes(attributes.object_type).some(([name]) => name === "color")) return nothing;
    return html`<label
      >${words.color}<input type="color" .value=${color.value} @change=${(event: Event) => this.#set(color.patch(typedIn(event)))}
    /></label>`;
  }

  /**
   * The fields of the object's type, except the main file's. The fields keep their order while shown: a field that
   * moved would lose the focus.
   */
  #own({ attributes }: SceneObject, told: string | undefined): TemplateResult {
    const type = String(attributes.object_type);
    if (this.#sections?.type !== type) {
      const named = ownAttributes(type).filter(([name]) => name !== told);
      this.#sections = { type, ...parted(type, named, (name) => attributes[name] !== undefined) };
    }
    const { shown, more } = this.#sections;
    const fields = (some: readonly NamedAttribute[]): unknown =>
      repeat(
        some,
        ([name]) => name,
        (one) => this.#field(one, { called: wordsOf(type, one[0])?.name ?? "", means: meaningOf(type, one[0]) }),
      );
    return html`${fields(shown)}
    ${more.length === 0 ? nothing : html`<details class="more"><summary>${words.more(more.length)}</summary><section>${fields(more)}</section></details>`}`;
  }

  #component(one: readonly [string, Attribute]): TemplateResult {
    const [name] = one;
    const called = abilityName(name);
    return html`<div class="component">
      ${this.#field(one, { called, means: abilityDoes(name) })}
      <button type="button" aria-label=${abilities.remove(called)} @click=${() => this.#set({ [name]: null })}>✕</button>
    </div>`;
  }

  #field([name, attribute]: readonly [string, Attribute], said: { called: string; means: string }): TemplateResult {
    return html`<stoa-field
      .name=${name}
      .called=${said.called}
      .isOpen=${name === this.#added?.ability && this.#added.to === this.object?.objectId}
      .attribute=${attribute}
      .help=${said.means}
      .schema=${name.replace(/__.*$/, "")}
      .value=${this.object?.attributes[name]}
      @stoa-patch=${(event: CustomEvent<FieldPatch>) => this.#set(event.detail)}
    ></stoa-field>`;
  }

  /** Adds a behaviour and opens its fields, since most need values. */
  #add(ability: string): void {
    this.#added = { to: this.object?.objectId ?? "", ability };
    this.#set({ [ability]: beginningOf(ability, this.object?.attributes) });
  }

  /** Validates a patch by the schema and sends it. For an invalid patch it shows the error instead. */
  #set(patch: FieldPatch | undefined): void {
    const { object } = this;
    if (object === undefined || patch === undefined) return;
    const type = object.attributes.object_type;
    const group = typeof type === "string" && Object.hasOwn(OBJECT_TYPES, type) ? OBJECT_TYPES[type] : undefined;
    const wrong = findWrong(group ?? groups["any-object"], patch);
    this.wrong = wrong === undefined ? "" : `${pathInWords(String(type), wrong.path)}: ${wordsOfWrong(wrong)}`;
    if (wrong === undefined) void this.editor?.set(object.objectId, patch);
  }

  #nudgeByKey(event: KeyboardEvent): void {
    const nudge = NUDGES.find(([, key]) => key === event.key);
    if (nudge === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    void this.editor?.nudge(nudge[2], nudge[3]);
  }
}

/** The path of a validation error in words: `physx-body.mass`, or `width` of the object's own type. */
function pathInWords(type: string, path: string): string {
  const [first = "", second] = path.split(".");
  const words = second === undefined ? wordsOf(type, first) : wordsOf(first.replace(/__.*$/, ""), second);
  return words?.name ?? labelOf(path.replaceAll(".", " "));
}

function wordsOfWrong({ reason }: Wrong): string {
  return reason === "wrong type" || reason === "unknown object type" ? words.wrongType : words.notAllowed;
}
