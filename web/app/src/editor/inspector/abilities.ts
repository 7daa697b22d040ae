/** Names, groups and searches the behaviours that can be added to objects. Pure functions. */
import { texts } from "../../texts/texts.ts";
import type { AbilityWords, BehaviourCategory } from "../../texts/texts-abilities.ts";
import { labelOf } from "./fields.ts";

const words = texts.edit.abilities;

/** A behaviour that can be added. */
export interface AddableBehaviour extends AbilityWords {
  /** The component's name in the schema. */
  readonly key: string;
}

/** A titled group of behaviours. */
export interface BehaviourGroup {
  readonly title: string;
  readonly offers: readonly AddableBehaviour[];
}

/** The display name of a behaviour. `animation__2` is named like `animation`, with its suffix added. */
export function abilityName(key: string): string {
  const [kind = key, which] = key.split(/__(.*)/s);
  const name = wordsFor(kind)?.name ?? labelOf(kind);
  return which === undefined || which === "" ? name : words.further(name, which);
}

/** The effect of a behaviour, in one line. */
export function abilityDoes(key: string): string {
  return wordsFor(key.replace(/__.*$/s, ""))?.does ?? "";
}

/** The given behaviours in groups, filtered by a search in names, effects and schema names. */
export function offersOf(keys: readonly string[], search: string): readonly BehaviourGroup[] {
  const sought = search.trim().toLowerCase();
  const found = keys
    .map((key): AddableBehaviour => ({ key, ...(wordsFor(key) ?? { name: labelOf(key), does: "", group: "others" }) }))
    .filter((offer) => [offer.name, offer.does, offer.key].some((text) => text.toLowerCase().includes(sought)));
  return groupNames.flatMap((group) => {
    const offers = found.filter((offer) => offer.group === group).sort((a, b) => placeOf(a) - placeOf(b));
    return offers.length === 0 ? [] : [{ title: words.groups[group], offers }];
  });
}

const order = Object.keys(words.kinds);
const groupNames: readonly BehaviourCategory[] = ["press", "people", "motion", "bodies", "looks", "sight", "others"];

/** A behaviour's index in the order of display, which is the order of the texts. */
function placeOf({ key }: AddableBehaviour): number {
  return order.indexOf(key);
}

function wordsFor(kind: string): AbilityWords | undefined {
  return Object.hasOwn(words.kinds, kind) ? words.kinds[kind] : undefined;
}
