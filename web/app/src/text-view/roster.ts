/** Keeps the names of a scene's people and objects, and reports their changes as news. Pure: events are arguments. */
import { type Person, type SceneObject, type SceneSession, shownName } from "@stoa/client";
import type { AnnouncementQueue } from "./news.ts";
import { textObjectOf } from "./objects.ts";

/** The parts of a session that {@link DisplayNameTracker} reads. */
export type SceneContent = Pick<SceneSession, "people" | "objects">;

/** The names of one scene. */
export class DisplayNameTracker {
  readonly #news: Pick<AnnouncementQueue, "handle">;
  readonly #base: string;
  #names = new Map<string, string>();
  /** The ids of people, and of people with a raised hand. */
  #peopleIds = new Set<string>();
  #raisedIds = new Set<string>();

  /** `base` is the page's address. */
  constructor(content: SceneContent, news: Pick<AnnouncementQueue, "handle">, base: string) {
    this.#news = news;
    this.#base = base;
    this.#read(content);
  }

  /** The display name of a person or object; `undefined` if it isn't in the scene. */
  nameOf(id: string): string | undefined {
    return this.#names.get(id);
  }

  /** Compares a new snapshot with the former state. Reports what was added or removed, and raised hands, as news. */
  compare(content: SceneContent): void {
    const [names, people, raised] = [this.#names, this.#peopleIds, this.#raisedIds];
    this.#read(content);
    for (const [id, name] of names)
      if (!this.#names.has(id)) this.#news.handle(people.has(id) ? "left" : "gone", id, name);
    for (const [id, name] of this.#names) {
      if (!names.has(id)) this.#news.handle(this.#peopleIds.has(id) ? "came" : "added", id, name);
      else if (this.#raisedIds.has(id) && !raised.has(id)) this.#news.handle("raised", id, name);
    }
  }

  /** Handles a person who arrived, changed or (`null`) left. Returns whether the list of people changed. */
  handlePerson(idTag: string, person: Pick<Person, "displayName" | "doing"> | null): boolean {
    const known = this.#names.get(idTag);
    const wasRaised = this.#raisedIds.has(idTag);
    if (person === null) {
      this.#names.delete(idTag);
      this.#peopleIds.delete(idTag);
      this.#raisedIds.delete(idTag);
      if (known !== undefined) this.#news.handle("left", idTag, known);
      return known !== undefined;
    }
    const isRaised = person.doing?.handRaised === true;
    const name = shownName({ idTag, displayName: person.displayName });
    this.#names.set(idTag, name);
    this.#peopleIds.add(idTag);
    if (isRaised) this.#raisedIds.add(idTag);
    else this.#raisedIds.delete(idTag);
    if (known === undefined) this.#news.handle("came", idTag, name);
    else if (isRaised && !wasRaised) this.#news.handle("raised", idTag, name);
    return known !== name || isRaised !== wasRaised;
  }

  /** Handles an object that was added, changed (`changed` lists the keys) or (`undefined`) removed. */
  handleObject(objectId: string, object: SceneObject | undefined, changed: readonly string[]): void {
    const textObject = object === undefined ? undefined : textObjectOf(object, this.#base);
    const known = this.#names.get(objectId);
    if (textObject === undefined) {
      this.#names.delete(objectId);
      if (known !== undefined) this.#news.handle("gone", objectId, known);
      return;
    }
    const name = textObject.landmark ?? textObject.name;
    this.#names.set(objectId, name);
    if (known === undefined) this.#news.handle("added", objectId, name);
    else if (changed.some((key) => key !== "position" && key !== "rotation"))
      this.#news.handle("changed", objectId, name);
  }

  #read({ people, objects }: SceneContent): void {
    const all = [...people.values()];
    this.#peopleIds = new Set(people.keys());
    this.#raisedIds = new Set(all.filter(({ doing }) => doing?.handRaised === true).map(({ idTag }) => idTag));
    this.#names = new Map(all.map((person) => [person.idTag, shownName(person)]));
    for (const object of objects.values()) {
      const textObject = textObjectOf(object, this.#base);
      if (textObject !== undefined) this.#names.set(textObject.id, textObject.landmark ?? textObject.name);
    }
  }
}
