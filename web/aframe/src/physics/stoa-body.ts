/** Makes an object a body of physics. Page: docs/components/stoa-body.md */
import type { AFrame, Behaviour, Entity } from "../aframe.ts";
import type { BodySettings } from "../mapping/body-settings.ts";

/** The settings of `stoa-body`. */
export interface StoaBodySettings {
  /** As JSON; the names are ARENA's of `physx-body` and `physx-material`. */
  readonly body: string;
}

/** The event that tells the scene's physics; its detail is a {@link BodyNews}. */
export const BODY = "stoa-body";

/** What the object is now. */
export interface BodyNews {
  readonly el: Entity;
  /** `null`: no body any more. */
  readonly settings: BodySettings | null;
}

/** One body. */
export class Body implements Behaviour<StoaBodySettings> {
  readonly el: Entity;
  /** What it is; `null`: none yet, or no more. */
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
    const news: BodyNews = { el: this.el, settings };
    this.el.emit(BODY, news, true);
  }
}

/** Makes `stoa-body` known to A-Frame. */
export function registerBody(aframe: AFrame): void {
  aframe.registerComponent<StoaBodySettings, Body>({
    name: "stoa-body",
    schema: { body: { type: "string", default: "" } },
    create: (el) => new Body(el),
  });
}
