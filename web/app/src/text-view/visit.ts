/**
 * The state of a visit in the text view: position, activity and events. It uses no DOM and no clock; time is an
 * argument.
 */
import { componentSettings, EYE_HEIGHT_M, eyesOf, landmarkNamed, startPlace } from "@stoa/aframe/meaning";
import { type Doing, IDLE, type SceneObject, type SceneSession, type Vector3 } from "@stoa/client";
import { NEWS_LINES_MAX, NEWS_NAMES_MAX } from "../limits.ts";
import { HiddenPeople } from "../scene/hidden-people.ts";
import { listed, texts } from "../texts/texts.ts";
import { eighthOf, type Viewpoint } from "./geometry.ts";
import { Nearby } from "./nearby.ts";
import { News, type NewsLine } from "./news.ts";
import { answer, press, pressButton } from "./object-events.ts";
import type { Action, TextObject } from "./objects.ts";
import { Whereabouts } from "./positions.ts";
import { Roster } from "./roster.ts";
import { type Goal, Walker } from "./walker.ts";

const words = texts.textView;

/** A line of the event log with a unique id. */
export interface Line {
  readonly id: number;
  readonly text: string;
  /** Whether the line is the user's own action, which was announced when it happened. */
  readonly own: boolean;
}

/** The inputs of a visit. */
export interface VisitParts {
  readonly session: SceneSession;
  /** The page's address. */
  readonly base: string;
  /** Whether other people see the user's legs. */
  readonly body: Doing["body"];
  /** The landmark in the address; empty for the scene's start. */
  readonly landmark: string;
  readonly random: () => number;
  /** Called when the view must be redrawn. */
  readonly onChanged: () => void;
}

/** One visit of one scene. */
export class Visit {
  /** Hidden people. */
  readonly hidden = new HiddenPeople();
  readonly nearby: Nearby;
  /** The user's current activity, announced at once. */
  doing = "";
  /** Number of announcements, so that a repeated text is announced again. */
  said = 0;
  lines: readonly Line[] = [];
  isHandRaised = false;
  readonly #parts: VisitParts;
  readonly #walker: Walker;
  readonly #news = new News();
  readonly #roster: Roster;
  readonly #whereabouts: Whereabouts;
  /** The seat that the user took last. */
  #seat: { readonly id: string; readonly name: string } | undefined;
  readonly #stops: readonly (() => void)[];

  constructor(parts: VisitParts) {
    this.#parts = parts;
    const { session, base, landmark } = parts;
    this.#whereabouts = new Whereabouts(session);
    this.nearby = new Nearby(session, this.#whereabouts, base);
    this.#roster = new Roster(session, { handle: (what, id, name) => this.#happened(what, id, name) }, base);
    this.#walker = new Walker(this.#placed(session.objects.values(), ""));
    session.publishCamera(this.#walker.pose);
    const begins = this.#placeNamed(landmark);
    if (begins !== undefined) this.travel(begins);
    this.#stops = [
      session.on("person", ({ idTag, person }) => {
        if (this.#roster.handlePerson(idTag, person)) parts.onChanged();
      }),
      session.on("object", ({ objectId, changed }) => {
        this.#roster.handleObject(objectId, session.objects.get(objectId), changed);
        if (objectId === this.#seat?.id) this.#keepSeat();
      }),
      session.on("reset", () => {
        this.#roster.compare(session);
        this.#keepSeat();
      }),
      this.hidden.follow(parts.onChanged),
    ];
  }

  end(): void {
    for (const stop of this.#stops) stop();
    this.#whereabouts.stop();
    this.#walker.stop();
  }

  get stand(): Viewpoint {
    return this.#walker.stand;
  }

  get isSeated(): boolean {
    return this.#walker.isSeated;
  }

  nameOf(id: string): string {
    return this.#roster.nameOf(id) ?? id;
  }

  /** Advances the walk and collects news. */
  handleTime(nowMs: number, deltaS: number): void {
    const { goal } = this.#walker;
    const step = this.#walker.handleTime(deltaS, (to) => this.#find(to));
    if (step === "moved" || step === "arrived") this.#parts.session.publishCamera(this.#walker.pose);
    if (step === "arrived" && goal !== null) this.#moved(words.arrived(goal.name));
    if (step === "lost" && goal !== null) this.#say(words.lost(goal.name));
    const news = this.#news.poll(nowMs);
    if (news.length > 0) this.#tell(news);
  }

  setOut(goal: Goal): void {
    this.#walker.setOut(goal, (to) => this.#find(to));
    this.#say(goal.kind === "follow" ? words.following(goal.name) : words.going(goal.name));
  }

  turn(angleRad: number): void {
    this.#walker.turn(angleRad);
    this.#moved(words.looking(words.compass[eighthOf(this.stand.yawRad)] ?? ""));
  }

  step(distanceM: number): void {
    this.#walker.go(distanceM);
    this.#moved(distanceM < 0 ? words.steppedBack : words.steppedAhead);
  }

  stop(): void {
    this.#walker.stop();
    this.#say(words.stopped);
  }

  sit({ id, name }: TextObject, seat: Extract<Action, { kind: "sit" }>): void {
    const place = this.#whereabouts.seat(id, seat);
    if (place === undefined) this.#say(words.lost(name));
    else if (this.#whereabouts.isTaken(place.position)) this.#say(words.taken(name));
    else {
      this.#walker.sit(place);
      this.#seat = { id, name };
      this.#note(words.seated(name));
      this.#moved(words.seated(name));
    }
  }

  getUp(): void {
    this.#walker.getUp();
    this.#note(words.gotUp);
    this.#moved(words.gotUp);
  }

  /** Gets up if the seat was removed or is no seat any more. */
  #keepSeat(): void {
    if (this.#seat === undefined || !this.isSeated) return;
    const { id, name } = this.#seat;
    const attributes = this.#parts.session.objects.get(id)?.attributes;
    if (attributes !== undefined && componentSettings(attributes, this.#parts.base)["stoa-seat"] !== undefined) return;
    this.#walker.getUp();
    this.#note(words.seatGone(name));
    this.#moved(words.seatGone(name));
  }

  raiseHand(raised: boolean): void {
    this.isHandRaised = raised;
    this.#parts.session.setLooks({ doing: { ...IDLE, body: this.#parts.body, handRaised: raised } });
    this.#say(raised ? words.handUp : words.handDown);
  }

  press(thing: TextObject): void {
    press(this.#parts.session, this.#pressOn(thing), this.#parts.base);
    this.#say(words.pressed(thing.name));
  }

  choose(thing: TextObject, button: Extract<Action, { kind: "button" }>): void {
    pressButton(this.#parts.session, this.#pressOn(thing), button);
    this.#say(words.chosen(button.name, thing.name));
  }

  answer(thing: TextObject, typed: string | null): void {
    if (answer(this.#parts.session, thing.id, typed)) this.#say(words.answered(thing.name));
  }

  /** Moves the user to a landmark at once, without walking. */
  travel(objectId: string): void {
    const object = this.#parts.session.objects.get(objectId);
    const at = this.#whereabouts.thing(objectId);
    const name = this.nameOf(objectId);
    if (object === undefined || at === undefined) {
      this.#say(words.lost(name));
      return;
    }
    // Any landmark is treated as a starting position here.
    const landmark = { ...landmarkOf(object.attributes.landmark), startingPosition: true };
    const there = { ...object, attributes: { ...object.attributes, landmark } };
    const objects = new Map(this.#parts.session.objects).set(objectId, there);
    this.#walker.arrive(this.#placed(objects.values(), objectId));
    this.#moved(words.arrived(name));
  }

  /** Goes to a landmark by its label or object id, as addresses and portals do. */
  travelTo(place: string): void {
    if (place !== "") this.travel(this.#placeNamed(place) ?? place);
  }

  #placeNamed(name: string): string | undefined {
    return name === "" ? undefined : landmarkNamed(this.#parts.session.objects.values(), name)?.objectId;
  }

  /** The viewpoint of a person who arrives at a landmark. */
  #placed(objects: Iterable<SceneObject>, landmark: string): Viewpoint {
    const others = eyesOf(this.#parts.session.people.values());
    return standAt(startPlace(objects, { random: this.#parts.random, landmark, others }));
  }

  #pressOn({ id }: TextObject) {
    const from = this.#walker.stand.position;
    return { objectId: id, at: this.#whereabouts.thing(id) ?? from, from };
  }

  #find(goal: Goal): Vector3 | undefined {
    if (goal.kind === "place") return goal.eyes;
    return goal.kind === "thing" ? this.#whereabouts.thing(goal.id) : this.#whereabouts.person(goal.id);
  }

  /** Events of hidden people aren't news. */
  #happened(what: NewsLine["what"], id: string, name: string): void {
    if (!this.hidden.has(id)) this.#news.handle(what, id, name);
  }

  #tell(news: readonly NewsLine[]): void {
    const told = news.map(({ what, names }) => {
      const many = names.length > NEWS_NAMES_MAX;
      return words.news[what](many ? "" : listed(names), many ? names.length : 0);
    });
    this.#write(told, false);
    this.#parts.onChanged();
  }

  /** Adds the user's own action to the log; `#say` announces it. */
  #note(text: string): void {
    this.#write([text], true);
  }

  #write(told: readonly string[], own: boolean): void {
    const last = this.lines.at(-1)?.id ?? 0;
    const lines = told.map((text, at) => ({ id: last + 1 + at, text, own }));
    this.lines = [...this.lines, ...lines].slice(-NEWS_LINES_MAX);
  }

  #moved(doing: string): void {
    this.#parts.session.publishCamera(this.#walker.pose);
    this.#say(doing);
  }

  #say(doing: string): void {
    this.doing = doing;
    this.said += 1;
    this.#parts.onChanged();
  }
}

function standAt({ position: { x, y, z }, yawRad }: ReturnType<typeof startPlace>): Viewpoint {
  return { position: [x, y + EYE_HEIGHT_M, z], yawRad };
}

function landmarkOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
