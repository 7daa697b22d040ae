/**
 * Lists a scene's people, and the visible objects that `textObjectOf` describes, with distance and direction. No I/O:
 * the session is an argument.
 */
import type { Person, SceneSession, Vector3 } from "@stoa/client";
import { type Bearing, bearingOf, type Viewpoint } from "./geometry.ts";
import { type TextViewObject, textObjectOf } from "./objects.ts";
import type { PositionTracker } from "./positions.ts";
import { type NearbyListName, sorted } from "./sorting.ts";

/** A person or object with its bearing. */
export interface NearbyEntry<Of> {
  readonly id: string;
  readonly of: Of;
  readonly bearing: Bearing | undefined;
}

/** The lists around a viewpoint. */
export interface NearbyLists {
  readonly people: readonly NearbyEntry<Person>[];
  /** Landmarks, also those that the search excludes. Each is in `tries` or `things` too. */
  readonly places: readonly NearbyEntry<TextViewObject>[];
  /** Objects with an action. */
  readonly tries: readonly NearbyEntry<TextViewObject>[];
  /** Objects without an action. */
  readonly things: readonly NearbyEntry<TextViewObject>[];
  /** Whether the scene has no object to list, before the search filters them. */
  readonly hasNoObjects: boolean;
}

/** Looks up positions. */
export type PositionLookup = Pick<PositionTracker, "eyesOf" | "objectPosition">;

/** The inputs of a listing. */
export interface NearbyQuery {
  readonly from: Viewpoint;
  /** Whether an object matches the search, which filters neither `people` nor `places`. */
  readonly isWanted: (textObject: TextViewObject) => boolean;
  /** The list that has the focus; its entries keep their order. */
  readonly reading: NearbyListName | undefined;
}

/** Builds the lists and remembers their order. */
export class NearbyListBuilder {
  readonly #session: Pick<SceneSession, "people" | "objects">;
  readonly #positions: PositionLookup;
  readonly #base: string;
  readonly #orders: Record<NearbyListName, ReadonlyMap<string, number>> = {
    people: new Map(),
    places: new Map(),
    tries: new Map(),
    things: new Map(),
  };

  /** `base` is the page's address, against which links of objects are resolved. */
  constructor(session: Pick<SceneSession, "people" | "objects">, positions: PositionLookup, base: string) {
    this.#session = session;
    this.#positions = positions;
    this.#base = base;
  }

  list({ from, isWanted, reading }: NearbyQuery): NearbyLists {
    const near = <Of>(id: string, of: Of, at: Vector3 | undefined): NearbyEntry<Of> => ({
      id,
      of,
      bearing: at === undefined ? undefined : bearingOf(from, at),
    });
    const people = [...this.#session.people.values()].map((person) =>
      near(person.idTag, person, this.#positions.eyesOf(person.idTag)),
    );
    const objects = [...this.#session.objects.values()].flatMap((object) => {
      const textObject = textObjectOf(object, this.#base);
      return textObject === undefined
        ? []
        : [near(textObject.id, textObject, this.#positions.objectPosition(textObject.id))];
    });
    const found = objects.filter(({ of }) => isWanted(of));
    const sort = <Of>(list: NearbyListName, of: readonly NearbyEntry<Of>[]) => this.#sort(list, of, reading);
    return {
      people: sort("people", people),
      places: sort("places", objects.filter(isPlace)),
      tries: sort("tries", found.filter(isTry)),
      things: sort(
        "things",
        found.filter((one) => !isTry(one)),
      ),
      hasNoObjects: objects.length === 0,
    };
  }

  #sort<Of>(
    list: NearbyListName,
    near: readonly NearbyEntry<Of>[],
    reading: NearbyListName | undefined,
  ): readonly NearbyEntry<Of>[] {
    const { entries, order } = sorted(near, reading === list ? this.#orders[list] : new Map());
    this.#orders[list] = order;
    return entries;
  }
}

function isPlace({ of }: NearbyEntry<TextViewObject>): boolean {
  return of.landmark !== undefined;
}

function isTry({ of }: NearbyEntry<TextViewObject>): boolean {
  return of.actions.length > 0;
}
