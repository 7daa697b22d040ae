/** The other people in the scene: those near each with a head, a name and hands of their own, all others in a crowd. Oneself is not shown. */
import { colorOf, type Motion, type MotionListener, type Mover, type Person, type Pose, type Side } from "@stoa/client";
import { behaviourOf, type Entity, makeEntity, type Three } from "../aframe.ts";
import type { Clock } from "../clock.ts";
import {
  CHANGE_OVER_MS,
  NEAR_BIAS,
  NEAR_INTERVAL_MS,
  NEAR_PEOPLE_MAX,
  PINNED_PEOPLE_MAX,
  VRM_PEOPLE_MAX,
} from "../limits.ts";
import { realmUrl } from "../safe-url.ts";
import type { Height } from "../surroundings/terrain.ts";
import type { Xyz } from "../values.ts";
import type { PoseArray } from "./interpolation.ts";
import { isLookedAt, isVrm } from "./model-check.ts";
import { Avatar, type AvatarSettings } from "./stoa-avatar.ts";
import type { CrowdSource, Distant } from "./stoa-crowd.ts";
import { HandShape } from "./stoa-hand.ts";
import { type MotionDelay, Track } from "./track.ts";

/** What it is made of. */
export interface PeopleOptions {
  /** The entity that they all stand in. */
  readonly root: Entity;
  /** Where relative addresses start. */
  readonly base: string;
  /** The clock of the motion plane and of the components. */
  readonly now: Clock;
  readonly motion: Motion;
  /** How far in the past lies what the motion plane tells; somebody else lets it tick. */
  readonly delay: MotionDelay;
  /** How high the ground is; default: level. */
  readonly ground?: Height;
  /** Somebody is there whom no message told of yet. */
  readonly onAdded: (idTag: string) => void;
}

const level: Height = () => 0;

type Part = "head" | Side;

/** Somebody, near or far. */
interface Shown extends Distant {
  readonly idTag: string;
  /** What messages say; `null`: the motion plane alone tells of them. */
  person: Person | null;
  isRaised: boolean;
  readonly ground: Height;
  left: Track | null;
  right: Track | null;
  color: string;
  /** Entities of somebody near, once there are any. */
  readonly entities: Map<Part, Entity>;
  /** Whether their head's entity is drawn: until then they are in the crowd. */
  isDrawn: boolean;
  /** Something hangs on them, so they stay an entity. */
  isPinned: boolean;
  isWanted: boolean;
  /** How much of them the motion plane tells of. */
  movers: number;
  /** How far off they were last, squared; near ones a little less. */
  rank: number;
}

interface TrackedPart {
  readonly shown: Shown;
  readonly part: Part;
  readonly track: Track;
}

const SIDES = ["left", "right"] as const;

/** All people that are shown. */
export class PeopleView implements CrowdSource {
  readonly #options: PeopleOptions;
  readonly #shown = new Map<string, Shown>();
  readonly #moved = new Map<Mover, TrackedPart>();
  readonly #ranking: Shown[] = [];
  readonly #pose: PoseArray = new Float64Array(7);
  readonly #stop: () => void;
  /** Who is drawn with a VRM: the nearest of those who wear one. */
  readonly #vrms = new Set<string>();
  readonly #wearers: Shown[] = [];
  /** Whom this person does not want to see. */
  readonly #hidden = new Set<string>();
  #distant: Shown[] = [];
  #isDistantOld = false;
  #rankedMs = Number.NEGATIVE_INFINITY;
  #changedMs = Number.NEGATIVE_INFINITY;
  /** Whether the motion plane alone said who is seen, at the render frame before. */
  #decided = false;
  /** At the render frame before: the clock is not asked for each of ten thousand poses a second. */
  #nowMs: number;

  constructor(options: PeopleOptions) {
    this.#options = options;
    this.#nowMs = options.now();
    const listener: MotionListener = {
      onEntered: (mover) => this.#entered(mover),
      onMoved: (mover, at, pose) => this.#movedTo(mover, at, pose),
      onLeft: (mover) => this.#left(mover),
    };
    this.#stop = options.motion.follow(listener);
  }

  /** Everybody whom no entity shows. */
  get distant(): readonly Distant[] {
    if (this.#isDistantOld) this.#distant = [...this.#shown.values()].filter(({ isDrawn }) => !isDrawn);
    this.#isDistantOld = false;
    return this.#distant;
  }

  /** What hangs on a person is put in there: their head. From now on they are an entity, however far off. */
  spaceOf(idTag: string): Three.Object3D | null {
    const shown = this.#shown.get(idTag);
    if (shown === undefined) return null;
    const pinned = [...this.#shown.values()].filter(({ isPinned }) => isPinned).length;
    if (!shown.isPinned && pinned >= PINNED_PEOPLE_MAX) return null;
    shown.isPinned = true;
    this.#promote(shown);
    return shown.entities.get("head")?.object3D ?? null;
  }

  /** Writes where somebody's head or hand is; false where that is not known. */
  placeOf(idTag: string, part: Part, place: Three.Vector3): boolean {
    const shown = this.#shown.get(idTag);
    const track = part === "head" ? shown?.head : shown?.[part];
    if (!track?.isKnown) return false;
    track.sample(this.#nowMs, this.#pose);
    const [x = 0, y = 0, z = 0] = this.#pose;
    place.set(x, y, z);
    return true;
  }

  /** Whether somebody's head is above that place, no farther off than a radius. */
  isNear({ x, y, z }: Xyz, radiusM: number): boolean {
    for (const { head } of this.#shown.values()) {
      if (!head.isKnown) continue;
      head.sample(this.#nowMs, this.#pose);
      const [hx = 0, hy = 0, hz = 0] = this.#pose;
      if (Math.hypot(hx - x, hz - z) < radiusM && hy > y && hy < y + 2) return true;
    }
    return false;
  }

  isHidden(idTag: string): boolean {
    return this.#hidden.has(idTag);
  }

  /** Keeps somebody out of sight, or lets them be seen once they are applied again. */
  setHidden(idTag: string, hidden: boolean): void {
    if (!hidden) this.#hidden.delete(idTag);
    else {
      this.#hidden.add(idTag);
      this.remove(idTag);
    }
  }

  /** Shows a person as messages tell now. Returns whether it is new. */
  apply(person: Person): boolean {
    if (this.#hidden.has(person.idTag)) return false;
    const before = this.#shown.get(person.idTag);
    const shown = before ?? this.#add(person.idTag);
    const told = shown.person;
    shown.person = person;
    shown.color = person.color;
    shown.isRaised = person.doing?.handRaised ?? false;
    if (person.pose !== undefined && person.pose !== told?.pose && !this.#options.motion.decides)
      shown.head.handleMessage(this.#options.now(), person.pose);
    for (const side of SIDES) this.#hand(shown, side, told?.hands[side]?.pose);
    this.#dress(shown);
    return before === undefined;
  }

  /** Takes a person away, whatever the motion plane tells: they said that they go. */
  remove(idTag: string): void {
    const shown = this.#shown.get(idTag);
    if (shown === undefined) return;
    this.#shown.delete(idTag);
    this.#vrms.delete(idTag);
    this.#isDistantOld = true;
    for (const [mover, moved] of this.#moved) if (moved.shown === shown) this.#moved.delete(mover);
    for (const el of shown.entities.values()) takeAway(el);
  }

  /** Removes everybody that neither `keep` holds nor the motion plane tells of. */
  retain(keep: ReadonlyMap<string, unknown>): string[] {
    const gone: string[] = [];
    for (const [idTag, shown] of this.#shown) {
      if (keep.has(idTag)) continue;
      shown.person = null;
      if (shown.movers === 0) gone.push(idTag);
    }
    for (const idTag of gone) this.remove(idTag);
    return gone;
  }

  /** Removes everybody, and listens no more. */
  dispose(): void {
    this.#stop();
    for (const idTag of [...this.#shown.keys()]) this.remove(idTag);
  }

  tick(nowMs: number, eyes: Three.Vector3): void {
    if (this.#options.motion.decides !== this.#decided) this.#handOver(!this.#decided, nowMs);
    if (nowMs - this.#rankedMs >= NEAR_INTERVAL_MS) {
      this.#rankedMs = nowMs;
      this.#rank(nowMs, eyes);
    }
    if (nowMs - this.#changedMs >= CHANGE_OVER_MS && this.#changeOver()) this.#changedMs = nowMs;
    this.#nowMs = nowMs;
  }

  #add(idTag: string): Shown {
    const shown: Shown = {
      idTag,
      person: null,
      head: new Track(this.#options.delay),
      left: null,
      right: null,
      isRaised: false,
      ground: this.#options.ground ?? level,
      color: colorOf(idTag),
      entities: new Map(),
      isDrawn: false,
      isPinned: false,
      isWanted: false,
      movers: 0,
      rank: 0,
    };
    this.#shown.set(idTag, shown);
    this.#isDistantOld = true;
    if (this.#shown.size <= NEAR_PEOPLE_MAX) this.#promote(shown);
    for (const mover of this.#options.motion.movers) if (mover.name === idTag) this.#link(mover, shown);
    return shown;
  }

  /** From now on the motion plane alone says who is seen, or camera messages do. */
  #handOver(decides: boolean, nowMs: number): void {
    this.#decided = decides;
    for (const shown of this.#shown.values()) {
      const { head, person } = shown;
      if (decides && !head.isByMotion) head.forget();
      else if (!decides && !head.isKnown && person?.pose !== undefined) head.handleMessage(nowMs, person.pose);
      for (const side of SIDES) {
        const hand = shown[side];
        if (!decides && hand === null) this.#hand(shown, side, undefined);
        else if (decides && hand?.isByMotion === false) this.#setHand(shown, side, null);
      }
    }
  }

  #entered(mover: Mover): void {
    if (mover.kind === "object" || this.#moved.has(mover) || this.#hidden.has(mover.name)) return;
    const known = this.#shown.get(mover.name);
    this.#link(mover, known ?? this.#add(mover.name));
    if (known === undefined) this.#options.onAdded(mover.name);
  }

  #link(mover: Mover, shown: Shown): void {
    if (mover.kind === "object" || this.#moved.has(mover)) return;
    const part = mover.kind;
    const track = (part === "head" ? shown.head : shown[part]) ?? new Track(this.#options.delay);
    this.#moved.set(mover, { shown, part, track });
    shown.movers += 1;
  }

  #movedTo(mover: Mover, at: number, pose: PoseArray): void {
    const moved = this.#moved.get(mover);
    if (moved === undefined) return;
    const { shown, part, track } = moved;
    track.handleMotion(this.#nowMs, at, pose);
    if (part !== "head" && shown[part] !== track) this.#setHand(shown, part, track);
  }

  #left(mover: Mover): void {
    const moved = this.#moved.get(mover);
    if (moved === undefined) return;
    this.#moved.delete(mover);
    const { shown, part, track } = moved;
    shown.movers -= 1;
    track.handleMotionLeft(this.#options.now());
    const { decides } = this.#options.motion;
    if (part === "head" && shown.person === null) this.remove(shown.idTag);
    else if (part === "head" && decides) track.forget();
    else if (part !== "head" && (decides || shown.person?.hands[part]?.pose === undefined))
      this.#setHand(shown, part, null);
  }

  /** What messages say of a hand. One that they took away is gone until the motion plane moves it again. */
  #hand(shown: Shown, side: Side, told: Pose | undefined): void {
    const pose = shown.person?.hands[side]?.pose;
    if (pose === told || (pose !== undefined && this.#options.motion.decides)) return;
    const track = pose === undefined ? null : (shown[side] ?? this.#trackOf(shown, side));
    if (pose !== undefined) track?.handleMessage(this.#options.now(), pose);
    if (shown[side] !== track) this.#setHand(shown, side, track);
  }

  #trackOf(shown: Shown, side: Side): Track {
    for (const moved of this.#moved.values()) if (moved.shown === shown && moved.part === side) return moved.track;
    return new Track(this.#options.delay);
  }

  #setHand(shown: Shown, side: Side, track: Track | null): void {
    shown[side] = track;
    const el = shown.entities.get(side);
    if (el !== undefined) takeAway(el);
    shown.entities.delete(side);
    if (track !== null && shown.entities.has("head")) this.#entity(shown, side, track);
    this.#dress(shown);
  }

  #promote(shown: Shown): void {
    if (shown.entities.has("head")) return;
    const head = this.#entity(shown, "head", shown.head);
    head.dataset.idTag = shown.idTag;
    for (const side of SIDES) {
      const track = shown[side];
      if (track !== null) this.#entity(shown, side, track);
    }
    this.#dress(shown);
  }

  #demote(shown: Shown): void {
    for (const el of shown.entities.values()) takeAway(el);
    shown.entities.clear();
    this.#vrms.delete(shown.idTag);
    shown.isDrawn = false;
    this.#isDistantOld = true;
  }

  #entity(shown: Shown, part: Part, track: Track): Entity {
    const el = makeEntity(this.#options.root.ownerDocument);
    el.setAttribute(part === "head" ? "stoa-avatar" : "stoa-hand", {});
    // The component is there only once A-Frame has loaded the entity.
    const loaded = (): void => {
      behaviourOf(el, "stoa-avatar", Avatar)?.follow(track, shown);
      behaviourOf(el, "stoa-hand", HandShape)?.follow(track);
      if (part !== "head" || shown.entities.get("head") !== el) return;
      shown.isDrawn = true;
      this.#isDistantOld = true;
    };
    el.addEventListener("loaded", loaded, { once: true });
    shown.entities.set(part, el);
    this.#options.root.append(el);
    return el;
  }

  #dress(shown: Shown): void {
    const { person, color, idTag, entities } = shown;
    const head = entities.get("head");
    if (head === undefined) return;
    const settings: AvatarSettings = {
      name: person?.displayName ?? idTag,
      color,
      raised: shown.isRaised,
      body: person?.doing?.body ?? "full",
      model: this.#modelOf(shown),
    };
    head.setAttribute("stoa-avatar", settings);
    for (const side of SIDES) entities.get(side)?.setAttribute("stoa-hand", { color });
  }

  /** What somebody is drawn with: of the VRMs those that there is room for. */
  #modelOf(shown: Shown): string {
    const { idTag } = shown;
    const model = this.#wornBy(shown);
    if (!isVrm(model)) {
      this.#vrms.delete(idTag);
      return model;
    }
    if (!this.#vrms.has(idTag) && this.#vrms.size >= VRM_PEOPLE_MAX) return "";
    this.#vrms.add(idTag);
    return model;
  }

  /** ARENA's own models aren't served here; asking for them would only fail. By its name the realm has looked at a model when it was uploaded. */
  #wornBy({ person }: Shown): string {
    const model = realmUrl(person?.headModelPath ?? "", this.#options.base);
    return model === undefined || !isLookedAt(new URL(model).pathname) ? "" : model;
  }

  /** The nearest have theirs, all others the built-in body; one gives way at a time, for reading one takes long. */
  #shareVrms(): void {
    const wearers = this.#wearers;
    wearers.length = 0;
    for (const shown of this.#shown.values())
      if (shown.entities.size > 0 && isVrm(this.#wornBy(shown))) wearers.push(shown);
    if (wearers.length <= this.#vrms.size) return;
    const rankOf = ({ idTag, rank }: Shown): number => rank * (this.#vrms.has(idTag) ? NEAR_BIAS ** 2 : 1);
    wearers.sort((one, other) => rankOf(one) - rankOf(other));
    const comes = wearers.findIndex(({ idTag }) => !this.#vrms.has(idTag));
    if (comes >= VRM_PEOPLE_MAX) return;
    const goes = this.#vrms.size < VRM_PEOPLE_MAX ? undefined : wearers.findLast(({ idTag }) => this.#vrms.has(idTag));
    if (goes !== undefined) this.#vrms.delete(goes.idTag);
    const [came] = wearers.slice(comes, comes + 1);
    if (came !== undefined) this.#dress(came);
    if (goes !== undefined) this.#dress(goes);
  }

  /** Says who should be near: the nearest, unless all may be. */
  #rank(nowMs: number, eyes: Three.Vector3): void {
    this.#ranking.length = 0;
    for (const shown of this.#shown.values()) {
      shown.rank = this.#rankOf(shown, nowMs, eyes);
      if (shown.isPinned) continue;
      this.#ranking.push(shown);
    }
    if (this.#ranking.length > NEAR_PEOPLE_MAX) this.#ranking.sort((one, other) => one.rank - other.rank);
    for (const [place, shown] of this.#ranking.entries()) shown.isWanted = place < NEAR_PEOPLE_MAX;
    this.#shareVrms();
  }

  /** Of whom it is not known where they are: behind all others. */
  #rankOf({ head, entities }: Shown, nowMs: number, eyes: Three.Vector3): number {
    if (!head.isKnown) return Number.POSITIVE_INFINITY;
    head.sample(nowMs, this.#pose);
    const [x = 0, y = 0, z = 0] = this.#pose;
    const distance = (x - eyes.x) ** 2 + (y - eyes.y) ** 2 + (z - eyes.z) ** 2;
    return distance * (entities.size > 0 ? NEAR_BIAS ** 2 : 1);
  }

  /** One goes and one comes; false where nobody does. */
  #changeOver(): boolean {
    const goes = this.#ranking.find(({ isWanted, isPinned, entities }) => !isWanted && !isPinned && entities.size > 0);
    if (goes !== undefined && this.#shown.get(goes.idTag) === goes) this.#demote(goes);
    const comes = this.#ranking.find(({ isWanted, entities, head }) => isWanted && entities.size === 0 && head.isKnown);
    if (comes !== undefined && this.#shown.get(comes.idTag) === comes) this.#promote(comes);
    return goes !== undefined || comes !== undefined;
  }
}

function takeAway(el: Entity): void {
  el.remove();
  el.object3D.removeFromParent();
  el.destroy?.();
}
