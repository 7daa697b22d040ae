/** Abilities as people read of them: their names, and which of them a search finds. Pure. */
import { texts } from "../../texts/texts.ts";
import type { AbilityGroup, AbilityWords } from "../../texts/texts-abilities.ts";
import { labelOf } from "./fields.ts";

const words = texts.edit.abilities;

/** One ability that may be added. */
export interface Offer extends AbilityWords {
  /** The schema's own name. */
  readonly key: string;
}

/** Abilities that belong together. */
export interface OfferGroup {
  readonly title: string;
  readonly offers: readonly Offer[];
}

/** What an ability is called; of `animation__2` as of `animation`, with what tells it apart. */
export function abilityName(key: string): string {
  const [kind = key, which] = key.split(/__(.*)/s);
  const name = wordsFor(kind)?.name ?? labelOf(kind);
  return which === undefined || which === "" ? name : words.further(name, which);
}

/** What comes of an ability, in one line. */
export function abilityDoes(key: string): string {
  return wordsFor(key.replace(/__.*$/s, ""))?.does ?? "";
}

/** These abilities by their groups, as far as a search finds them: by name, by what they do, by the schema's name. */
export function offersOf(keys: readonly string[], search: string): readonly OfferGroup[] {
  const sought = search.trim().toLowerCase();
  const found = keys
    .map((key): Offer => ({ key, ...(wordsFor(key) ?? { name: labelOf(key), does: "", group: "others" }) }))
    .filter((offer) => [offer.name, offer.does, offer.key].some((text) => text.toLowerCase().includes(sought)));
  return groupNames.flatMap((group) => {
    const offers = found.filter((offer) => offer.group === group).sort((a, b) => placeOf(a) - placeOf(b));
    return offers.length === 0 ? [] : [{ title: words.groups[group], offers }];
  });
}

const order = Object.keys(words.kinds);
const groupNames: readonly AbilityGroup[] = ["press", "people", "motion", "bodies", "looks", "sight", "others"];

/** The texts stand in the order in which people look for them. */
function placeOf({ key }: Offer): number {
  return order.indexOf(key);
}

function wordsFor(kind: string): AbilityWords | undefined {
  return Object.hasOwn(words.kinds, kind) ? words.kinds[kind] : undefined;
}
