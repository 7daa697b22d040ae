/** Makes an object a physics body. Page: docs/components/stoa-body.md */
import type { AFrameAdapter, Behaviour, Entity } from "../aframe.ts";
import type { BodySettings } from "../mapping/body-settings.ts";

export interface StoaBodySettings {
  /** A {@link BodySettings} as JSON. */
  readonly body: string;
}

/** Event to the scene's physics; its detail is a {@link BodyChange}. */
export const BODY = "stoa-body";

/** A changed body. */
export interface BodyChange {
  readonly el: Entity;
  /** `null` removes the body. */
  readonly settings: BodySettings | null;
}

/** The body of one object. */
export class BodyBehaviour implements Behaviour<StoaBodySettings> {
  readonly el: Entity;
  /** The current settings; `null` before the first update and after removal. */
  settings: BodySettings | null = null;

  constructor(el: Entity) {
    this.el = el;
  }

  update({ body }: StoaBodySettings): void {
    if (body !== "") this.#tell(JSON.parse(body));
  }

  remove(): void {
    this.#tell(null);
  }

  #tell(settings: BodySettings | null): void {
    this.settings = settings;
    const news: BodyChange = { el: this.el, settings };
    this.el.emit(BODY, news, true);
  }
}

/** Registers `stoa-body`. */
export function registerBody(aframe: AFrameAdapter): void {
  aframe.registerComponent<StoaBodySettings, BodyBehaviour>({
    name: "stoa-body",
    schema: { body: { type: "string", default: "" } },
    create: (el) => new BodyBehaviour(el),
  });
}
