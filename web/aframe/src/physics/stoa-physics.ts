/** The physics of a scene. Belongs on the entity that contains all objects. Page: docs/components/stoa-physics.md */
import { type AFrameAdapter, type Behaviour, behaviourOf, detailOf, type Entity } from "../aframe.ts";
import type { Clock } from "../clock.ts";
import { worldOf } from "../mapping/body-settings.ts";
import { bag } from "../values.ts";
import type { GrabEvent } from "./grabbed-bodies.ts";
import type { Rapier } from "./joints.ts";
import { type SceneSessionForPhysics, Simulation } from "./simulation.ts";
import { BODY, BodyBehaviour, type BodyChange } from "./stoa-body.ts";
import { HOLD } from "./stoa-grab.ts";
import { PUSH, type PushImpulse } from "./stoa-pushable.ts";

const OPTIONS_ID = "scene-options";

export interface PhysicsDependencies {
  readonly aframe: AFrameAdapter;
  readonly now: Clock;
  readonly load: () => Promise<Rapier>;
}

export class ScenePhysicsBehaviour implements Behaviour<unknown> {
  readonly #parts: PhysicsDependencies;
  readonly #el: Entity;
  readonly #listening = new AbortController();
  #simulation: Simulation | null = null;
  #stops: readonly (() => void)[] = [];

  constructor(parts: PhysicsDependencies, el: Entity) {
    this.#parts = parts;
    this.#el = el;
  }

  /** Connects to a session's scene. */
  serve(session: SceneSessionForPhysics): void {
    const { aframe, load } = this.#parts;
    const simulation = new Simulation({ aframe, session, load });
    this.#simulation = simulation;
    const configure = (): void => {
      const options = session.objects.get(OPTIONS_ID)?.attributes["scene-options"];
      simulation.configure(worldOf(bag(options)?.physics, this.#el.ownerDocument.baseURI));
    };
    configure();
    this.#stops = [
      session.on("object", ({ objectId }) => objectId === OPTIONS_ID && configure()),
      session.on("reset", configure),
    ];
    // Objects load before the entity that contains them, so their first events came too early.
    for (const el of this.#el.querySelectorAll("[stoa-body]")) {
      const body = behaviourOf(el, "stoa-body", BodyBehaviour);
      if (body?.settings) simulation.handleBody(body.el, body.settings);
    }
    this.#listen(simulation);
  }

  /** Whether this page's simulation moves the object. */
  moves(objectId: string): boolean {
    return this.#simulation?.moves(objectId) ?? false;
  }

  tick(): void {
    this.#simulation?.tick(this.#parts.now());
  }

  remove(): void {
    this.#listening.abort();
    for (const stop of this.#stops) stop();
    this.#simulation?.dispose();
    this.#simulation = null;
  }

  #listen(simulation: Simulation): void {
    const { signal } = this.#listening;
    const on = (type: string, listener: (event: Event) => void): void =>
      this.#el.addEventListener(type, listener, { signal });
    on(BODY, (event) => {
      const { el, settings } = detailOf<BodyChange>(event);
      simulation.handleBody(el, settings);
    });
    on(PUSH, (event) => {
      const { objectId, impulse } = detailOf<PushImpulse>(event);
      simulation.push(objectId, impulse);
    });
    on(HOLD, (event) => simulation.hold(detailOf<GrabEvent>(event)));
    on("object3dset", ({ target }) => {
      if (target instanceof HTMLElement && target.dataset.objectId) simulation.handleDrawn(target.dataset.objectId);
    });
  }
}

/** Rapier is large, so it loads when this page first simulates. */
async function loadRapier(): Promise<Rapier> {
  const { default: rapier } = await import("@dimforge/rapier3d-compat");
  await rapier.init();
  return rapier;
}

/** Registers `stoa-physics`. */
export function registerPhysics(aframe: AFrameAdapter, now: Clock): void {
  aframe.registerComponent<object, ScenePhysicsBehaviour>({
    name: "stoa-physics",
    schema: {},
    create: (el) => new ScenePhysicsBehaviour({ aframe, now, load: loadRapier }, el),
  });
}
