/**
 * Renders the other people in the scene. Near people are entities with head, name and hands, the rest is a crowd. The
 * user isn't drawn.
 */
import {
  colorOf,
  type Motion,
  type MotionListener,
  type Mover,
  type Person,
  type Pose,
  type Side,
  shownName,
} from "@stoa/client";
import { behaviourOf, type Entity, makeEntity, type Three } from "../aframe.ts";
import type { Clock } from "../clock.ts";
import {
  CHANGE_OVER_MS,
  NEAR_BIAS,
  NEAR_INTERVAL_MS,
  NEAR_PEOPLE_MAX,
  PINNED_PEOPLE_MAX,
  SPEAKER_BIAS,
  SPEAKER_NEAR_MS,
  VRM_PEOPLE_MAX,
} from "../limits.ts";
import { realmUrl } from "../safe-url.ts";
import type { GroundHeightSampler } from "../surroundings/terrain.ts";
import type { Xyz } from "../values.ts";
import type { PoseArray } from "./interpolation.ts";
import { isLookedAt, isVrm } from "./model-check.ts";
import { AvatarBehaviour, type AvatarSettings } from "./stoa-avatar.ts";
import type { CrowdSource, DistantPerson } from "./stoa-crowd.ts";
import { HandBehaviour } from "./stoa-hand.ts";
import { type MotionDelay, PoseTrack } from "./track.ts";

export interface PeopleViewDependencies {
  /** The entity that contains all people. */
  readonly root: Entity;
  /** Base of relative URLs. */
  readonly base: string;
  /** The clock of the motion plane and of the components. */
  readonly now: Clock;
  readonly motion: Motion;
  /** Playback delay of the motion plane. Its owner ticks it. */
  readonly delay: MotionDelay;
  /** Height of the ground; default: level. */
  readonly ground?: GroundHeightSampler;
  /** The motion plane has added a person before any message did. */
  readonly onAdded: (idTag: string) => void;
}

const level: GroundHeightSampler = () => 0;

type BodyPartName = "head" | Side;

/** A person, near or far. */
interface ShownPerson extends DistantPerson {
  readonly idTag: string;
  /** State from messages; `null` while only the motion plane knows the person. */
  person: Person | null;
  isRaised: boolean;
  readonly ground: GroundHeightSampler;
  left: PoseTrack | null;
  right: PoseTrack | null;
  color: string;
  /** The entities of a near person. */
  readonly entities: Map<BodyPartName, Entity>;
  /** Whether the head's entity has loaded; until then the crowd draws the person. */
  isDrawn: boolean;
  /** Whether objects are attached to the person, who is then drawn as an entity at any distance. */
  isPinned: boolean;
  isWanted: boolean;
  /** Number of the person's movers on the motion plane. */
  movers: number;
  /** Time of the person's last speech; `-Infinity` before the first. */
  spokeMs: number;
  /** Squared distance from the camera, reduced by a bonus for people drawn as entities and for speakers. */
  rank: number;
}

interface TrackedLimb {
  readonly shown: ShownPerson;
  readonly part: BodyPartName;
  readonly track: PoseTrack;
}

const SIDES = ["left", "right"] as const;

/** All other people in a scene. */
export class PeopleView implements CrowdSource {
  readonly #options: PeopleViewDependencies;
  readonly #shown = new Map<string, ShownPerson>();
  readonly #moved = new Map<Mover, TrackedLimb>();
  readonly #ranking: ShownPerson[] = [];
  readonly #pose: PoseArray = new Float64Array(7);
  readonly #stop: () => void;
  /** People drawn with a VRM: the nearest wearers. */
  readonly #vrms = new Set<string>();
  readonly #wearers: ShownPerson[] = [];
  /** People whom the user has hidden. */
  readonly #hidden = new Set<string>();
  /** The present speakers. */
  #speaking: ReadonlySet<string> = new Set();
  #distant: ShownPerson[] = [];
  #isDistantOld = false;
  #rankedMs = Number.NEGATIVE_INFINITY;
  #changedMs = Number.NEGATIVE_INFINITY;
  /** `motion.decides` as of the previous render frame. */
  #decided = false;
  /** Time of the previous render frame. Ten thousand poses a second shouldn't each read the clock. */
  #nowMs: number;

  constructor(options: PeopleViewDependencies) {
    this.#options = options;
    this.#nowMs = options.now();
    const listener: MotionListener = {
      onEntered: (mover) => this.#entered(mover),
      onMoved: (mover, at, pose) => this.#movedTo(mover, at, pose),
      onLeft: (mover) => this.#left(mover),
    };
    this.#stop = options.motion.follow(listener);
  }

  /** All people without a loaded entity. */
  get distant(): readonly DistantPerson[] {
    if (this.#isDistantOld) this.#distant = [...this.#shown.values()].filter(({ isDrawn }) => !isDrawn);
    this.#isDistantOld = false;
    return this.#distant;
  }

  /** The head node, as parent of attached objects. Pins the person as an entity at any distance. */
  spaceOf(idTag: string): Three.Object3D | null {
    const shown = this.#shown.get(idTag);
    if (shown === undefined) return null;
    const pinned = [...this.#shown.values()].filter(({ isPinned }) => isPinned).length;
    if (!shown.isPinned && pinned >= PINNED_PEOPLE_MAX) return null;
    shown.isPinned = true;
    this.#promote(shown);
    return shown.entities.get("head")?.object3D ?? null;
  }

  /** Writes the position of a person's head or hand; false if unknown. */
  positionOf(idTag: string, part: BodyPartName, out: Three.Vector3): boolean {
    const shown = this.#shown.get(idTag);
    const track = part === "head" ? shown?.head : shown?.[part];
    if (!track?.isKnown) return false;
    track.sample(this.#nowMs, this.#pose);
    const [x = 0, y = 0, z = 0] = this.#pose;
    out.set(x, y, z);
    return true;
  }

  /** Whether a person's head is at most 2 m above the position, within a horizontal radius. */
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

  /** Hides a person, or lets the next `apply` show them. */
  setHidden(idTag: string, hidden: boolean): void {
    if (!hidden) this.#hidden.delete(idTag);
    else {
      this.#hidden.add(idTag);
      this.remove(idTag);
    }
  }

  /** Marks the present speakers, and removes the mark from all other people. */
  setSpeaking(idTags: ReadonlySet<string>): void {
    const before = this.#speaking;
    this.#speaking = new Set(idTags);
    for (const idTag of new Set([...before, ...idTags])) {
      const shown = this.#shown.get(idTag);
      if (shown === undefined) continue;
      shown.spokeMs = this.#nowMs;
      if (before.has(idTag) !== idTags.has(idTag)) this.#applySettings(shown);
    }
  }

  /** Applies a person's state from messages. Returns whether the person is new. */
  apply(person: Person): boolean {
    if (this.#hidden.has(person.idTag)) return false;
    const before = this.#shown.get(person.idTag);
    const shown = before ?? this.#add(person.idTag);
    const former = shown.person;
    shown.person = person;
    shown.color = person.color;
    shown.isRaised = person.doing?.handRaised ?? false;
    if (person.pose !== undefined && person.pose !== former?.pose && !this.#options.motion.decides)
      shown.head.handleMessage(this.#options.now(), person.pose);
    for (const side of SIDES) this.#hand(shown, side, former?.hands[side]?.pose);
    this.#applySettings(shown);
    return before === undefined;
  }

  /** Removes a person who left or whom the user hides, even if the motion plane still has movers. */
  remove(idTag: string): void {
    const shown = this.#shown.get(idTag);
    if (shown === undefined) return;
    this.#shown.delete(idTag);
    this.#vrms.delete(idTag);
    this.#isDistantOld = true;
    for (const [mover, moved] of this.#moved) if (moved.shown === shown) this.#moved.delete(mover);
    for (const el of shown.entities.values()) removeEntity(el);
  }

  /** Removes people missing from `keep` who have no mover on the motion plane. Returns their ids. */
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

  dispose(): void {
    this.#stop();
    for (const idTag of [...this.#shown.keys()]) this.remove(idTag);
  }

  tick(nowMs: number, eyes: Three.Vector3): void {
    if (this.#options.motion.decides !== this.#decided) this.#switchSource(!this.#decided, nowMs);
    if (nowMs - this.#rankedMs >= NEAR_INTERVAL_MS) {
      this.#rankedMs = nowMs;
      this.#rank(nowMs, eyes);
    }
    if (nowMs - this.#changedMs >= CHANGE_OVER_MS && this.#swapNear()) this.#changedMs = nowMs;
    this.#nowMs = nowMs;
  }

  #add(idTag: string): ShownPerson {
    const shown: ShownPerson = {
      idTag,
      person: null,
      head: new PoseTrack(this.#options.delay),
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
      spokeMs: Number.NEGATIVE_INFINITY,
      rank: 0,
    };
    this.#shown.set(idTag, shown);
    this.#isDistantOld = true;
    if (this.#shown.size <= NEAR_PEOPLE_MAX) this.#promote(shown);
    for (const mover of this.#options.motion.movers) if (mover.name === idTag) this.#link(mover, shown);
    return shown;
  }

  /** Switches between the motion plane and camera messages as the source of people. */
  #switchSource(decides: boolean, nowMs: number): void {
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

  #link(mover: Mover, shown: ShownPerson): void {
    if (mover.kind === "object" || this.#moved.has(mover)) return;
    const part = mover.kind;
    const track = (part === "head" ? shown.head : shown[part]) ?? new PoseTrack(this.#options.delay);
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

  /** Applies a hand from messages. A removed hand reappears with its next pose from a message or the motion plane. */
  #hand(shown: ShownPerson, side: Side, before: Pose | undefined): void {
    const pose = shown.person?.hands[side]?.pose;
    if (pose === before || (pose !== undefined && this.#options.motion.decides)) return;
    const track = pose === undefined ? null : (shown[side] ?? this.#trackOf(shown, side));
    if (pose !== undefined) track?.handleMessage(this.#options.now(), pose);
    if (shown[side] !== track) this.#setHand(shown, side, track);
  }

  #trackOf(shown: ShownPerson, side: Side): PoseTrack {
    for (const moved of this.#moved.values()) if (moved.shown === shown && moved.part === side) return moved.track;
    return new PoseTrack(this.#options.delay);
  }

  #setHand(shown: ShownPerson, side: Side, track: PoseTrack | null): void {
    shown[side] = track;
    const el = shown.entities.get(side);
    if (el !== undefined) removeEntity(el);
    shown.entities.delete(side);
    if (track !== null && shown.entities.has("head")) this.#entity(shown, side, track);
    this.#applySettings(shown);
  }

  #promote(shown: ShownPerson): void {
    if (shown.entities.has("head")) return;
    const head = this.#entity(shown, "head", shown.head);
    head.dataset.idTag = shown.idTag;
    for (const side of SIDES) {
      const track = shown[side];
      if (track !== null) this.#entity(shown, side, track);
    }
    this.#applySettings(shown);
  }

  #demote(shown: ShownPerson): void {
    for (const el of shown.entities.values()) removeEntity(el);
    shown.entities.clear();
    this.#vrms.delete(shown.idTag);
    shown.isDrawn = false;
    this.#isDistantOld = true;
  }

  #entity(shown: ShownPerson, part: BodyPartName, track: PoseTrack): Entity {
    const el = makeEntity(this.#options.root.ownerDocument);
    el.setAttribute(part === "head" ? "stoa-avatar" : "stoa-hand", {});
    // The component exists only once A-Frame has loaded the entity.
    const loaded = (): void => {
      behaviourOf(el, "stoa-avatar", AvatarBehaviour)?.follow(track, shown);
      behaviourOf(el, "stoa-hand", HandBehaviour)?.follow(track);
      if (part !== "head" || shown.entities.get("head") !== el) return;
      shown.isDrawn = true;
      this.#isDistantOld = true;
    };
    el.addEventListener("loaded", loaded, { once: true });
    shown.entities.set(part, el);
    this.#options.root.append(el);
    return el;
  }

  #applySettings(shown: ShownPerson): void {
    const { person, color, idTag, entities } = shown;
    const head = entities.get("head");
    if (head === undefined) return;
    const settings: AvatarSettings = {
      name: shownName({ idTag, displayName: person?.displayName ?? idTag }),
      color,
      raised: shown.isRaised,
      speaking: this.#speaking.has(idTag),
      body: person?.doing?.body ?? "full",
      model: this.#modelOf(shown),
    };
    head.setAttribute("stoa-avatar", settings);
    for (const side of SIDES) entities.get(side)?.setAttribute("stoa-hand", { color });
  }

  /** The person's model; empty for a VRM above the limit. */
  #modelOf(shown: ShownPerson): string {
    const { idTag } = shown;
    const model = this.#modelUrlOf(shown);
    if (!isVrm(model)) {
      this.#vrms.delete(idTag);
      return model;
    }
    if (!this.#vrms.has(idTag) && this.#vrms.size >= VRM_PEOPLE_MAX) return "";
    this.#vrms.add(idTag);
    return model;
  }

  /** The URL of the person's model; empty unless validated by the realm. ARENA's own models aren't on the realm. */
  #modelUrlOf({ person }: ShownPerson): string {
    const model = realmUrl(person?.headModelPath ?? "", this.#options.base);
    return model === undefined || !isLookedAt(new URL(model).pathname) ? "" : model;
  }

  /**
   * Gives VRMs to the nearest wearers; the rest get the built-in body. One swap at a time, because parsing takes long.
   */
  #assignVrms(): void {
    const wearers = this.#wearers;
    wearers.length = 0;
    for (const shown of this.#shown.values())
      if (shown.entities.size > 0 && isVrm(this.#modelUrlOf(shown))) wearers.push(shown);
    if (wearers.length <= this.#vrms.size) return;
    const rankOf = ({ idTag, rank }: ShownPerson): number => rank * (this.#vrms.has(idTag) ? NEAR_BIAS ** 2 : 1);
    wearers.sort((one, other) => rankOf(one) - rankOf(other));
    const comes = wearers.findIndex(({ idTag }) => !this.#vrms.has(idTag));
    if (comes >= VRM_PEOPLE_MAX) return;
    const goes = this.#vrms.size < VRM_PEOPLE_MAX ? undefined : wearers.findLast(({ idTag }) => this.#vrms.has(idTag));
    if (goes !== undefined) this.#vrms.delete(goes.idTag);
    const [came] = wearers.slice(comes, comes + 1);
    if (came !== undefined) this.#applySettings(came);
    if (goes !== undefined) this.#applySettings(goes);
  }

  /** Selects the people who should be entities: the nearest, unless all fit. */
  #rank(nowMs: number, eyes: Three.Vector3): void {
    this.#ranking.length = 0;
    for (const shown of this.#shown.values()) {
      shown.rank = this.#rankOf(shown, nowMs, eyes);
      if (shown.isPinned) continue;
      this.#ranking.push(shown);
    }
    if (this.#ranking.length > NEAR_PEOPLE_MAX) this.#ranking.sort((one, other) => one.rank - other.rank);
    for (const [place, shown] of this.#ranking.entries()) shown.isWanted = place < NEAR_PEOPLE_MAX;
    this.#assignVrms();
  }

  /** People with unknown position sort last. */
  #rankOf({ idTag, head, entities, spokeMs }: ShownPerson, nowMs: number, eyes: Three.Vector3): number {
    if (!head.isKnown) return Number.POSITIVE_INFINITY;
    head.sample(nowMs, this.#pose);
    const [x = 0, y = 0, z = 0] = this.#pose;
    const distance = (x - eyes.x) ** 2 + (y - eyes.y) ** 2 + (z - eyes.z) ** 2;
    const spoke = this.#speaking.has(idTag) || nowMs - spokeMs < SPEAKER_NEAR_MS;
    return distance * (entities.size > 0 ? NEAR_BIAS ** 2 : 1) * (spoke ? SPEAKER_BIAS ** 2 : 1);
  }

  /** Swaps one person out and one in; false if nothing changed. */
  #swapNear(): boolean {
    const goes = this.#ranking.find(({ isWanted, isPinned, entities }) => !isWanted && !isPinned && entities.size > 0);
    if (goes !== undefined && this.#shown.get(goes.idTag) === goes) this.#demote(goes);
    const comes = this.#ranking.find(({ isWanted, entities, head }) => isWanted && entities.size === 0 && head.isKnown);
    if (comes !== undefined && this.#shown.get(comes.idTag) === comes) this.#promote(comes);
    return goes !== undefined || comes !== undefined;
  }
}

function removeEntity(el: Entity): void {
  el.remove();
  el.object3D.removeFromParent();
  el.destroy?.();
}
