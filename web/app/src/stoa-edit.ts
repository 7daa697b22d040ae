import { type Attributes, mergeAttributes, type SceneObject, type SceneSession, wordsOf } from "@stoa/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { Follow } from "./follow.ts";
import { typedIn } from "./form.ts";
import { NEW_AHEAD_M, STEP_M } from "./limits.ts";
import { look } from "./look.ts";
import { type Axis, colorKey, numbersOf, withNumber } from "./object-fields.ts";
import { newId, type Shape, shapes } from "./shapes.ts";

/** Where something new stands. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

const NUDGES: readonly (readonly [label: string, key: string, axis: Axis, by: number])[] = [
  ["Left", "ArrowLeft", "x", -STEP_M],
  ["Right", "ArrowRight", "x", STEP_M],
  ["Away", "ArrowUp", "z", -STEP_M],
  ["Near", "ArrowDown", "z", STEP_M],
  ["Up", "PageUp", "y", STEP_M],
  ["Down", "PageDown", "y", -STEP_M],
];
const GROUPS = [
  { key: "position", label: "Position (m)", step: 0.1 },
  { key: "rotation", label: "Rotation (°)", step: 15 },
  { key: "scale", label: "Scale", step: 0.1 },
] as const;
const AXES: readonly Axis[] = ["x", "y", "z"];

/** Adds, chooses, changes and removes objects. Emits `stoa-choose` with an object's id, or `null`. */
export class StoaEdit extends LitElement {
  static override readonly properties = {
    session: { attribute: false },
    selected: { attribute: false },
    place: { attribute: false },
    wrong: { state: true },
  };
  static override readonly styles = [
    look,
    css`
      section {
        display: grid;
        gap: 0.6rem;
        margin-top: 0.9rem;
      }
      .shapes {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(5.5rem, 1fr));
        gap: 0.4rem;
      }
      fieldset {
        border: 0;
        padding: 0;
        margin: 0;
        display: grid;
        grid-template-columns: repeat(3, 1fr);
        gap: 0.4rem;
        min-width: 0;
      }
      legend {
        padding: 0 0 0.2rem;
        font-size: 0.875rem;
        color: var(--muted);
      }
      .arrows {
        display: grid;
        grid-template-columns: repeat(3, 1fr);
        gap: 0.4rem;
      }
      .axis {
        grid-template-columns: auto 1fr;
        align-items: center;
      }
      .id {
        overflow-wrap: anywhere;
      }
    `,
  ];
  declare session: SceneSession | undefined;
  declare selected: string | null;
  declare place: (distanceM: number) => Place;
  declare wrong: string;

  constructor() {
    super();
    this.selected = null;
    this.place = () => ({ x: 0, y: 0, z: 0 });
    this.wrong = "";
    new Follow(this, ["object", "reset", "status"]);
  }

  override render() {
    const chosen = this.selected === null ? undefined : this.session?.objects.get(this.selected);
    return html`<h2>Edit</h2>
      <section aria-label="Add">
        <p class="muted">Add something before you:</p>
        <div class="shapes">
          ${shapes.map((shape) => html`<button type="button" @click=${() => this.#add(shape)}>${shape.label}</button>`)}
        </div>
      </section>
      <section aria-label="Change">${chosen === undefined ? this.#chooser() : this.#fields(chosen)}</section>
      <p class="wrong" role="alert">${this.wrong === "" ? nothing : this.wrong}</p>`;
  }

  #chooser(): TemplateResult {
    const ids = [...(this.session?.objects.values() ?? [])]
      .filter(({ type }) => type === "object")
      .map(({ objectId }) => objectId);
    return html`<p class="muted">Press an object in the scene to change it, or choose one here:</p>
      <label
        >Object<select @change=${(event: Event) => this.#choose(typedIn(event) || null)}>
          <option value="">None</option>
          ${ids.sort().map((id) => html`<option value=${id}>${id}</option>`)}
        </select></label
      >`;
  }

  #fields(object: SceneObject): TemplateResult {
    const color = colorKey(object.attributes);
    const { value } = object.attributes;
    return html`<p class="id"><strong>${object.objectId}</strong> <span class="muted">${String(object.attributes.object_type ?? "")}</span></p>
      <div class="arrows" role="group" aria-label="Move by ${STEP_M} m" @keydown=${(event: KeyboardEvent) => this.#nudgeByKey(event, object)}>
        ${NUDGES.map(
          ([label, , axis, by]) =>
            html`<button type="button" @click=${() => this.#nudge(object, axis, by)}>${label}</button>`,
        )}
      </div>
      ${GROUPS.map(
        ({ key, label, step }) => html`<fieldset>
          <legend>${label}</legend>
          ${AXES.map(
            (axis) => html`<label class="axis"
              >${axis}<input
                type="number"
                step=${step}
                aria-label="${label} ${axis}"
                .value=${String(numbersOf(object.attributes, key)[axis])}
                @change=${(event: Event) => this.#type(object, withNumber(object.attributes, key, axis, Number(typedIn(event))))}
            /></label>`,
          )}
        </fieldset>`,
      )}
      ${
        color === undefined
          ? nothing
          : html`<label
              >Colour<input
                type="color"
                .value=${color.value}
                @change=${(event: Event) => this.#type(object, color.patch(typedIn(event)))}
            /></label>`
      }
      ${
        typeof value === "string"
          ? html`<label
              >Text<textarea rows="2" .value=${value} @change=${(event: Event) => this.#type(object, { value: typedIn(event) })}></textarea>
            </label>`
          : nothing
      }
      <div class="arrows">
        <button type="button" @click=${() => this.#choose(null)}>Done</button>
        <button type="button" @click=${() => this.#copy(object)}>Copy</button>
        <button type="button" class="danger" @click=${() => this.#remove(object)}>Delete</button>
      </div>`;
  }

  #add(shape: Shape): void {
    const { x, y, z } = this.place(NEW_AHEAD_M);
    const position = { x, y: y + shape.heightM, z };
    this.#create({ ...shape.attributes, position });
  }

  #copy({ attributes }: SceneObject): void {
    const { x } = numbersOf(attributes, "position");
    this.#create(mergeAttributes(attributes, withNumber(attributes, "position", "x", x + 0.5) ?? {}));
  }

  #create(attributes: Attributes): void {
    const id = newId(attributes.object_type);
    this.#ask((session) => session.create(id, attributes, { persist: true }).then(() => this.#choose(id)));
  }

  #remove({ objectId }: SceneObject): void {
    this.#choose(null);
    this.#ask((session) => session.remove(objectId));
  }

  #nudge({ objectId }: SceneObject, axis: Axis, by: number): void {
    const now = this.session?.objects.get(objectId);
    if (now !== undefined)
      this.#type(now, withNumber(now.attributes, "position", axis, numbersOf(now.attributes, "position")[axis] + by));
  }

  #nudgeByKey(event: KeyboardEvent, object: SceneObject): void {
    const nudge = NUDGES.find(([, key]) => key === event.key);
    if (nudge === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#nudge(object, nudge[2], nudge[3]);
  }

  #type({ objectId }: SceneObject, patch: Attributes | undefined): void {
    if (patch !== undefined) this.#ask((session) => session.update(objectId, patch));
  }

  #choose(objectId: string | null): void {
    this.dispatchEvent(
      new CustomEvent<string | null>("stoa-choose", { detail: objectId, bubbles: true, composed: true }),
    );
  }

  #ask(request: (session: SceneSession) => Promise<void>): void {
    if (this.session === undefined) return;
    this.wrong = "";
    request(this.session).catch((error: unknown) => {
      this.wrong = wordsOf(error);
    });
  }
}
