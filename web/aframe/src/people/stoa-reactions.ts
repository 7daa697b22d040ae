/**
 * Reactions that rise over heads and fade. Belongs on the entity that contains all people. Page:
 * docs/components/stoa-reactions.md
 */
import type { AFrameAdapter, Behaviour, Entity, Three } from "../aframe.ts";
import { REACTION_MS, REACTION_RISE_M, REACTION_SIZE_M, REACTIONS_SHOWN_MAX } from "../limits.ts";
import { REACTIONS, type Reaction } from "./reactions.ts";

const PIXELS = 128;

interface RisingReaction {
  readonly sprite: Three.Sprite;
  startedMs: number;
  y: number;
}

/** The visible reactions of a scene. */
export class ReactionsBehaviour implements Behaviour<unknown> {
  readonly #aframe: AFrameAdapter;
  readonly #el: Entity;
  readonly #textures = new Map<Reaction, Three.Texture>();
  readonly #rising: RisingReaction[] = [];
  #nowMs = 0;

  constructor(aframe: AFrameAdapter, el: Entity) {
    this.#aframe = aframe;
    this.#el = el;
  }

  get count(): number {
    return this.#rising.length;
  }

  /** Starts a reaction at a position. Above the limit the oldest disappears. */
  show(reaction: Reaction, x: number, y: number, z: number): void {
    if (this.#rising.length >= REACTIONS_SHOWN_MAX) this.#drop(0);
    const { THREE } = this.#aframe;
    const paint = { map: this.#textureOf(reaction), transparent: true, depthWrite: false, fog: false };
    const sprite = new THREE.Sprite(new THREE.SpriteMaterial(paint));
    sprite.position.set(x, y, z);
    sprite.scale.setScalar(REACTION_SIZE_M);
    this.#el.object3D.add(sprite);
    this.#rising.push({ sprite, startedMs: this.#nowMs, y });
  }

  tick(timeMs: number): void {
    this.#nowMs = timeMs;
    for (let at = this.#rising.length - 1; at >= 0; at -= 1) {
      const one = this.#rising[at];
      if (one === undefined) continue;
      const share = (timeMs - one.startedMs) / REACTION_MS;
      if (share >= 1) this.#drop(at);
      else this.#place(one, share);
    }
  }

  remove(): void {
    while (this.#rising.length > 0) this.#drop(0);
    for (const texture of this.#textures.values()) texture.dispose();
    this.#textures.clear();
  }

  /** Moves a reaction: it pops up, rises steadily with a sway, and fades over the last third. */
  #place({ sprite, y }: RisingReaction, share: number): void {
    sprite.position.y = y + share * REACTION_RISE_M;
    sprite.scale.setScalar(REACTION_SIZE_M * Math.min(1, share * 8));
    sprite.material.rotation = Math.sin(share * 9) * 0.15;
    sprite.material.opacity = Math.min(1, (1 - share) * 3);
  }

  #drop(at: number): void {
    const [one] = this.#rising.splice(at, 1);
    one?.sprite.removeFromParent();
    one?.sprite.material.dispose();
  }

  /** The texture of a reaction, drawn once on a canvas. */
  #textureOf(reaction: Reaction): Three.Texture | null {
    const known = this.#textures.get(reaction);
    if (known !== undefined) return known;
    const canvas = this.#el.ownerDocument.createElement("canvas");
    const pen = canvas.getContext?.("2d");
    if (!pen) return null;
    Object.assign(canvas, { width: PIXELS, height: PIXELS });
    const { color, path } = REACTIONS[reaction];
    const shape = new Path2D(path);
    pen.scale(PIXELS / 26, PIXELS / 26);
    pen.translate(1, 1);
    Object.assign(pen, { fillStyle: color, strokeStyle: "#ffffff", lineWidth: 1.6, lineJoin: "round" });
    pen.stroke(shape);
    pen.fill(shape, "evenodd");
    const texture = new this.#aframe.THREE.CanvasTexture(canvas);
    texture.colorSpace = this.#aframe.THREE.SRGBColorSpace;
    this.#textures.set(reaction, texture);
    return texture;
  }
}

/** Registers `stoa-reactions`. */
export function registerReactions(aframe: AFrameAdapter): void {
  aframe.registerComponent<object, ReactionsBehaviour>({
    name: "stoa-reactions",
    schema: {},
    create: (el) => new ReactionsBehaviour(aframe, el),
  });
}
