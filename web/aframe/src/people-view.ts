/** The other people in the scene: a head with a name each, and hands. Oneself is not shown. */
import type { Hand, Person, Pose, Side } from "@stoa/client";
import { behaviourOf, type Entity, makeEntity } from "./aframe.ts";
import { realmUrl } from "./safe-url.ts";
import { Avatar } from "./stoa-avatar.ts";
import { HandShape } from "./stoa-hand.ts";

interface Part {
  readonly el: Entity;
  pose: Pose | null;
}

interface ShownPerson {
  readonly head: Part;
  readonly hands: Map<Side, Part>;
}

const SIDES = ["left", "right"] as const;

/** All people that are shown. */
export class PeopleView {
  readonly #root: Entity;
  readonly #base: string;
  readonly #shown = new Map<string, ShownPerson>();

  constructor(root: Entity, base: string) {
    this.#root = root;
    this.#base = base;
  }

  /** The head of a person. */
  get(idTag: string): Entity | null {
    return this.#shown.get(idTag)?.head.el ?? null;
  }

  /** Shows a person as it is now. Returns whether it is new. */
  apply(person: Person): boolean {
    const before = this.#shown.get(person.idTag);
    const shown = before ?? this.#add(person.idTag);
    const model = realmUrl(person.headModelPath, this.#base);
    shown.head.el.setAttribute("stoa-avatar", {
      name: person.displayName,
      color: person.color,
      // ARENA's own models aren't served here; asking for them would only fail.
      model: model === undefined || new URL(model).pathname.startsWith("/static/") ? "" : model,
    });
    this.#move(shown.head, person.pose ?? null);
    for (const side of SIDES) this.#hand(shown, side, { hand: person.hands[side], color: person.color });
    return before === undefined;
  }

  /** Takes a person away. */
  remove(idTag: string): void {
    const shown = this.#shown.get(idTag);
    if (!shown) return;
    this.#shown.delete(idTag);
    for (const part of [shown.head, ...shown.hands.values()]) takeAway(part.el);
  }

  /** Removes everybody that `keep` doesn't hold. */
  retain(keep: ReadonlyMap<string, unknown>): string[] {
    const gone = [...this.#shown.keys()].filter((idTag) => !keep.has(idTag));
    for (const idTag of gone) this.remove(idTag);
    return gone;
  }

  #add(idTag: string): ShownPerson {
    const head = this.#part("stoa-avatar");
    head.el.dataset.idTag = idTag;
    const shown: ShownPerson = { head, hands: new Map() };
    this.#shown.set(idTag, shown);
    return shown;
  }

  #hand(shown: ShownPerson, side: Side, { hand, color }: { hand: Hand | undefined; color: string }): void {
    const before = shown.hands.get(side);
    if (!hand?.pose) {
      if (before) takeAway(before.el);
      shown.hands.delete(side);
      return;
    }
    const part = before ?? this.#part("stoa-hand");
    shown.hands.set(side, part);
    part.el.setAttribute("stoa-hand", { color });
    this.#move(part, hand.pose);
  }

  #part(component: "stoa-avatar" | "stoa-hand"): Part {
    const el = makeEntity(this.#root.ownerDocument);
    el.setAttribute(component, {});
    const part: Part = { el, pose: null };
    // The component is there only once A-Frame has loaded the entity.
    el.addEventListener("loaded", () => part.pose && push(el, part.pose), { once: true });
    this.#root.append(el);
    return part;
  }

  #move(part: Part, pose: Pose | null): void {
    if (!pose || pose === part.pose) return;
    part.pose = pose;
    push(part.el, pose);
  }
}

function push(el: Entity, pose: Pose): void {
  behaviourOf(el, "stoa-avatar", Avatar)?.push(pose);
  behaviourOf(el, "stoa-hand", HandShape)?.push(pose);
}

function takeAway(el: Entity): void {
  el.remove();
  el.object3D.removeFromParent();
  el.destroy?.();
}
