import {
  type Api,
  type Attribute,
  findWrong,
  type Group,
  type SceneObject,
  type SceneSession,
  type Wrong,
} from "@stoa/client";
import { groups, objectTypes } from "@stoa/client/generated";
import { help } from "@stoa/client/help";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { showAgain, typedIn } from "../form.ts";
import { STEP_M } from "../limits.ts";
import { look } from "../look.ts";
import type { Stage } from "../stage.ts";
import { texts } from "../texts.ts";
import { abilityDoes, abilityName } from "./abilities.ts";
import { addable, beginningOf, componentsOf, ownAttributes } from "./components.ts";
import { type Editor, isLocked, parentOf } from "./editor.ts";
import { labelOf } from "./fields.ts";
import { HeldMarks } from "./held-marks.ts";
import { mainFile } from "./main-file.ts";
import { type Axis, colorKey, numbersOf, type Triple, withNumber } from "./object-fields.ts";
import type { SceneUploads } from "./scene-uploads.ts";
import type { FieldPatch } from "./stoa-field.ts";

const words = texts.edit.details;
const { abilities } = texts.edit;

const NUDGES: readonly (readonly [label: string, key: string, axis: Axis, by: number])[] = [
  [words.nudges.left, "ArrowLeft", "x", -STEP_M],
  [words.nudges.right, "ArrowRight", "x", STEP_M],
  [words.nudges.away, "ArrowUp", "z", -STEP_M],
  [words.nudges.near, "ArrowDown", "z", STEP_M],
  [words.nudges.up, "PageUp", "y", STEP_M],
  [words.nudges.down, "PageDown", "y", -STEP_M],
];
const TRIPLES = [
  { key: "position", label: words.position, step: 0.1 },
  { key: "rotation", label: words.rotation, step: 15 },
  { key: "scale", label: words.scale, step: 0.1 },
] as const;
const AXES: readonly Axis[] = ["x", "y", "z"];
const OBJECT_TYPES: Readonly<Record<string, Group>> = objectTypes;

/** What there is to say of one object, field by field, as its schema has it. */
export class StoaInspector extends LitElement {
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
  };
  static override readonly styles = [
    look,
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
  declare stage: Stage | undefined;
  declare uploads: SceneUploads | undefined;
  /** Grows with each change of the uploads. */
  declare version: number;
  declare scene: string;
  declare object: SceneObject | undefined;
  declare wrong: string;
  /** The ability that was added last. */
  #added: { readonly to: string; readonly ability: string } | undefined;

  constructor() {
    super();
    new HeldMarks(this);
    this.scene = "";
    this.version = 0;
    this.wrong = "";
  }

  override render() {
    const { object, editor } = this;
    if (object === undefined || editor === undefined) return nothing;
    const { attributes, objectId } = object;
    const locked = isLocked(object);
    const file = mainFile(objectId, attributes);
    const holder = editor.heldBy(objectId);
    return html`<p class="id"><strong>${objectId}</strong> <span class="muted">${String(attributes.object_type ?? "")}</span></p>
      ${holder ? html`<p class="holder" role="status">${texts.edit.heldBy(holder.displayName)}</p>` : nothing}
      ${this.#door(object)}${this.#file(editor.boardOf(object))}
      ${locked ? html`<p class="muted" role="status">${texts.edit.locked}</p>` : this.#place(object)}
      ${this.#hangsOn(object)}
      <section aria-label=${words.own}>
        <h3>${words.own}</h3>
        ${this.#colour(object)}
        ${repeat(
          ownAttributes(attributes.object_type).filter(([name]) => name !== file?.key),
          ([name]) => name,
          (one) => this.#field(one, this.#helpOf(String(attributes.object_type))),
        )}
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

  /** Where a doorway leads is what one wants of it first. */
  #door({ attributes: { portal } }: SceneObject): TemplateResult | typeof nothing {
    if (typeof portal !== "object" || portal === null) return nothing;
    const to = "scene" in portal && typeof portal.scene === "string" ? portal.scene : "";
    return html`<stoa-doorway
      .api=${this.api}
      .here=${this.scene}
      .to=${to}
      @stoa-patch=${(event: CustomEvent<FieldPatch>) => this.#set(event.detail)}
    ></stoa-doorway>`;
  }

  /** What an object shows or plays is what one wants of it first. */
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

  /** An emptied field changes nothing: a size of 0 is meant by nobody. */
  #setNumber(event: Event, { attributes }: SceneObject, key: Triple, axis: Axis): void {
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

  /** The one property that everybody looks for. */
  #colour({ attributes }: SceneObject): TemplateResult | typeof nothing {
    const color = colorKey(attributes);
    if (color === undefined || ownAttributes(attributes.object_type).some(([name]) => name === "color")) return nothing;
    return html`<label
      >${words.color}<input type="color" .value=${color.value} @change=${(event: Event) => this.#set(color.patch(typedIn(event)))}
    /></label>`;
  }

  #component(one: readonly [string, Attribute]): TemplateResult {
    const [name] = one;
    const called = abilityName(name);
    return html`<div class="component">
      ${this.#field(one, { [name]: abilityDoes(name) }, called)}
      <button type="button" aria-label=${abilities.remove(called)} @click=${() => this.#set({ [name]: null })}>✕</button>
    </div>`;
  }

  #field(
    [name, attribute]: readonly [string, Attribute],
    helpOf: Readonly<Record<string, string>>,
    called = "",
  ): TemplateResult {
    return html`<stoa-field
      .name=${name}
      .called=${called}
      .isOpen=${name === this.#added?.ability && this.#added.to === this.object?.objectId}
      .attribute=${attribute}
      .help=${helpOf[name] ?? help["any-object"]?.attributes[name] ?? ""}
      .helpOf=${this.#helpOf(name.replace(/__.*$/, ""))}
      .value=${this.object?.attributes[name]}
      @stoa-patch=${(event: CustomEvent<FieldPatch>) => this.#set(event.detail)}
    ></stoa-field>`;
  }

  #helpOf(schema: string): Readonly<Record<string, string>> {
    return (Object.hasOwn(help, schema) ? help[schema]?.attributes : undefined) ?? {};
  }

  /** Its fields are open then: most abilities have something to be said of them. */
  #add(ability: string): void {
    this.#added = { to: this.object?.objectId ?? "", ability };
    this.#set({ [ability]: beginningOf(ability, this.object?.attributes) });
  }

  /** Checked against the schema first: what it calls wrong is told here and never sent. */
  #set(patch: FieldPatch | undefined): void {
    const { object } = this;
    if (object === undefined || patch === undefined) return;
    const type = object.attributes.object_type;
    const group = typeof type === "string" && Object.hasOwn(OBJECT_TYPES, type) ? OBJECT_TYPES[type] : undefined;
    const wrong = findWrong(group ?? groups["any-object"], patch);
    this.wrong = wrong === undefined ? "" : `${labelOf(wrong.path.replaceAll(".", " "))}: ${wordsOfWrong(wrong)}`;
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

function wordsOfWrong({ reason }: Wrong): string {
  return reason === "wrong type" || reason === "unknown object type" ? words.wrongType : words.notAllowed;
}
