/**
 * Keeps the state of a visit in the text view: position, activity and events. Uses no DOM and no clock; time is an
 * argument.
 */
import { componentSettings, EYE_HEIGHT_M, eyesOf, landmarkNamed, startPlace } from "@stoa/aframe/meaning";
import { type Doing, type DrawnHeads, IDLE, type SceneObject, type SceneSession, type Vector3 } from "@stoa/client";
import { NEWS_LINES_MAX, NEWS_NAMES_MAX } from "../limits.ts";
import { HiddenPeople } from "../scene/hidden-people.ts";
import { listed, texts } from "../texts/texts.ts";
import { eighthOf, type Viewpoint } from "./geometry.ts";
import { NearbyListBuilder } from "./nearby.ts";
import { type Announcement, AnnouncementQueue } from "./news.ts";
import { answer, press, pressButton } from "./object-events.ts";
import type { AvailableObjectAction, TextViewObject } from "./objects.ts";
import { PositionTracker } from "./positions.ts";
import { DisplayNameTracker } from "./roster.ts";
import { type Goal, Walker } from "./walker.ts";

const words = texts.textView;

/** A line of the event log with a unique id. */
export interface EventLogLine {
  readonly id: number;
  readonly text: string;
  /** Whether the line is the user's own action, which was announced when it happened. */
  readonly own: boolean;
}

/** The inputs of a visit. */
export interface VisitOptions {
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
  /** The people whom the user has hidden. */
  readonly hidden = new HiddenPeople();
  readonly nearby: NearbyListBuilder;
  /** The user's current activity, announced at once. */
  announcement = "";
  /** Number of announcements, so that a repeated text is announced again. */
  announcements = 0;
  lines: readonly EventLogLine[] = [];
  isHandRaised = false;
  readonly #options: VisitOptions;
  readonly #walker: Walker;
  readonly #news = new AnnouncementQueue();
  readonly #roster: DisplayNameTracker;
  readonly #positions: PositionTracker;
  /** The seat that the user took last. */
  #seat: { readonly id: string; readonly name: string } | undefined;
  readonly #stops: readonly (() => void)[];

  constructor(options: VisitOptions) {
    this.#options = options;
    const { session, base, landmark } = options;
    this.#positions = new PositionTracker(session);
    this.nearby = new NearbyListBuilder(session, this.#positions, base);
    this.#roster = new DisplayNameTracker(
      session,
      { handle: (what, id, name) => this.#handleNews(what, id, name) },
      base,
    );
    this.#walker = new Walker(this.#arrivalView(session.objects.values(), ""));
    session.publishCamera(this.#walker.pose);
    const begins = this.#landmarkCalled(landmark);
    if (begins !== undefined) this.travel(begins);
    this.#stops = [
      session.on("person", ({ idTag, person }) => {
        if (this.#roster.handlePerson(idTag, person)) options.onChanged();
      }),
      session.on("object", ({ objectId, changed }) => {
        this.#roster.handleObject(objectId, session.objects.get(objectId), changed);
        if (objectId === this.#seat?.id) this.#keepSeat();
      }),
      session.on("reset", () => {
        this.#roster.compare(session);
        this.#keepSeat();
      }),
      this.hidden.follow(options.onChanged),
    ];
  }

  end(): void {
    for (const stop of this.#stops) stop();
    this.#positions.stop();
    this.#walker.stop();
  }

  get stand(): Viewpoint {
    return this.#walker.stand;
  }

  /** The heads of the scene, for the sound of voices. */
  heads(): DrawnHeads {
    return {
      own: this.#walker.pose,
      positionOf: (idTag) => this.#positions.eyesOf(idTag),
      isHidden: (idTag) => this.hidden.has(idTag),
    };
  }

  get isSeated(): boolean {
    return this.#walker.isSeated;
  }

  nameOf(id: string): string {
    return this.#roster.nameOf(id) ?? id;
  }

  /** Advances the walk, and adds the due news to the log. */
  handleTime(nowMs: number, deltaS: number): void {
    const { goal } = this.#walker;
    const step = this.#walker.handleTime(deltaS, (to) => this.#find(to));
    if (step === "moved" || step === "arrived") this.#options.session.publishCamera(this.#walker.pose);
    if (step === "arrived" && goal !== null) this.#announceMove(words.arrived(goal.name));
    if (step === "lost" && goal !== null) this.#announce(words.lost(goal.name));
    const news = this.#news.poll(nowMs);
    if (news.length > 0) this.#logNews(news);
  }

  setOut(goal: Goal): void {
    this.#walker.setOut(goal, (to) => this.#find(to));
    this.#announce(goal.kind === "follow" ? words.following(goal.name) : words.going(goal.name));
  }

  turn(angleRad: number): void {
    this.#walker.turn(angleRad);
    this.#announceMove(words.looking(words.compass[eighthOf(this.stand.yawRad)] ?? ""));
  }

  step(distanceM: number): void {
    this.#walker.go(distanceM);
    this.#announceMove(distanceM < 0 ? words.steppedBack : words.steppedAhead);
  }

  stop(): void {
    this.#walker.stop();
    this.#announce(words.stopped);
  }

  sit({ id, name }: TextViewObject, seat: Extract<AvailableObjectAction, { kind: "sit" }>): void {
    const seatView = this.#positions.seat(id, seat);
    if (seatView === undefined) this.#announce(words.lost(name));
    else if (this.#positions.isTaken(seatView.position)) this.#announce(words.taken(name));
    else {
      this.#walker.sit(seatView);
      this.#seat = { id, name };
      this.#logOwn(words.seated(name));
      this.#announceMove(words.seated(name));
    }
  }

  getUp(): void {
    this.#walker.getUp();
    this.#logOwn(words.gotUp);
    this.#announceMove(words.gotUp);
  }

  /** Gets up if the seat was removed or is no seat any more. */
  #keepSeat(): void {
    if (this.#seat === undefined || !this.isSeated) return;
    const { id, name } = this.#seat;
    const attributes = this.#options.session.objects.get(id)?.attributes;
    if (attributes !== undefined && componentSettings(attributes, this.#options.base)["stoa-seat"] !== undefined)
      return;
    this.#walker.getUp();
    this.#logOwn(words.seatGone(name));
    this.#announceMove(words.seatGone(name));
  }

  raiseHand(raised: boolean): void {
    this.isHandRaised = raised;
    this.#options.session.setLooks({ doing: { ...IDLE, body: this.#options.body, handRaised: raised } });
    this.#announce(raised ? words.handUp : words.handDown);
  }

  press(object: TextViewObject): void {
    press(this.#options.session, this.#pressOn(object), this.#options.base);
    this.#announce(words.pressed(object.name));
  }

  choose(object: TextViewObject, button: Extract<AvailableObjectAction, { kind: "button" }>): void {
    pressButton(this.#options.session, this.#pressOn(object), button);
    this.#announce(words.chosen(button.name, object.name));
  }

  answer(object: TextViewObject, typed: string | null): void {
    if (answer(this.#options.session, object.id, typed)) this.#announce(words.answered(object.name));
  }

  /** Moves the user to a landmark at once, without walking. */
  travel(objectId: string): void {
    const object = this.#options.session.objects.get(objectId);
    const at = this.#positions.objectPosition(objectId);
    const name = this.nameOf(objectId);
    if (object === undefined || at === undefined) {
      this.#announce(words.lost(name));
      return;
    }
    // Any landmark is treated as a starting position here.
    const landmark = { ...landmarkOf(object.attributes.landmark), startingPosition: true };
    const there = { ...object, attributes: { ...object.attributes, landmark } };
    const objects = new Map(this.#options.session.objects).set(objectId, there);
    this.#walker.arrive(this.#arrivalView(objects.values(), objectId));
    this.#announceMove(words.arrived(name));
  }

  /** Goes to a landmark by its label or object id, as addresses and portals do. */
  travelTo(place: string): void {
    if (place !== "") this.travel(this.#landmarkCalled(place) ?? place);
  }

  #landmarkCalled(name: string): string | undefined {
    return name === "" ? undefined : landmarkNamed(this.#options.session.objects.values(), name)?.objectId;
  }

  /** The viewpoint of a person who arrives at a landmark, or at the scene's start if `landmark` is empty. */
  #arrivalView(objects: Iterable<SceneObject>, landmark: string): Viewpoint {
    const others = eyesOf(this.#options.session.people.values());
    return standAt(startPlace(objects, { random: this.#options.random, landmark, others }));
  }

  #pressOn({ id }: TextViewObject) {
    const from = this.#walker.stand.position;
    return { objectId: id, at: this.#positions.objectPosition(id) ?? from, from };
  }

  #find(goal: Goal): Vector3 | undefined {
    if (goal.kind === "place") return goal.eyes;
    return goal.kind === "object" ? this.#positions.objectPosition(goal.id) : this.#positions.eyesOf(goal.id);
  }

  /** Records news, except those of hidden people. */
  #handleNews(what: Announcement["what"], id: string, name: string): void {
    if (!this.hidden.has(id)) this.#news.handle(what, id, name);
  }

  #logNews(news: readonly Announcement[]): void {
    const entries = news.map(({ what, names }) => {
      const many = names.length > NEWS_NAMES_MAX;
      return words.news[what](many ? "" : listed(names), many ? names.length : 0);
    });
    this.#appendLines(entries, false);
    this.#options.onChanged();
  }

  /** Adds the user's own action to the log. `#announce` announces it. */
  #logOwn(text: string): void {
    this.#appendLines([text], true);
  }

  #appendLines(entries: readonly string[], own: boolean): void {
    const last = this.lines.at(-1)?.id ?? 0;
    const lines = entries.map((text, at) => ({ id: last + 1 + at, text, own }));
    this.lines = [...this.lines, ...lines].slice(-NEWS_LINES_MAX);
  }

  #announceMove(text: string): void {
    this.#options.session.publishCamera(this.#walker.pose);
    this.#announce(text);
  }

  #announce(text: string): void {
    this.announcement = text;
    this.announcements += 1;
    this.#options.onChanged();
  }
}

function standAt({ position: { x, y, z }, yawRad }: ReturnType<typeof startPlace>): Viewpoint {
  return { position: [x, y + EYE_HEIGHT_M, z], yawRad };
}

function landmarkOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
