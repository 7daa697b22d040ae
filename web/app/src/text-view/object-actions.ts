/** Runs an object's action where it needs more than the session: a question, a link or another scene. */
import { type Destination, destinationOf } from "../routing/destinations.ts";
import type { StoaAsk } from "../scene/stoa-ask.ts";
import type { Act } from "./stoa-text-things.ts";
import type { Visit } from "./visit.ts";

/** The surroundings of an action. */
export interface Doer {
  readonly visit: Visit;
  readonly scene: string;
  readonly asking: Pick<StoaAsk, "ask" | "mayLeave"> | null;
  /** Enters another scene. */
  readonly travel: (to: Destination) => void;
}

export async function act({ thing, action }: Act, doer: Doer): Promise<void> {
  const { visit } = doer;
  switch (action.kind) {
    case "press":
      return visit.press(thing);
    case "button":
      return visit.choose(thing, action);
    case "travel":
      if (action.press) visit.press(thing);
      return visit.travel(action.landmark);
    case "sit":
      return visit.sit(thing, action);
    case "open":
      return await follow(action.url, action.newTab, doer);
    case "portal":
      return travel(action, doer);
    case "ask":
      return visit.answer(thing, (await doer.asking?.ask(action.question)) ?? null);
    default:
      return unreachable(action);
  }
}

/** Another scene of this realm opens in the text view. A link to another host asks first. */
async function follow(url: string, newTab: boolean, doer: Doer): Promise<void> {
  const destination = newTab ? null : destinationOf(url, location.origin);
  if (destination !== null) return travel(destination, doer);
  const address = new URL(url);
  const own = address.origin === location.origin;
  if (!own && (await doer.asking?.mayLeave(url)) !== true) return;
  if (own && !address.searchParams.has("view")) address.searchParams.set("view", "text");
  if (newTab) open(address.href, "_blank", "noopener,noreferrer");
  else location.assign(address.href);
}

/** Within the current scene the destination is a landmark. */
function travel({ scene, landmark }: Destination, { visit, scene: here, travel: leave }: Doer): void {
  if (scene === here) visit.travelTo(landmark);
  else leave({ scene, landmark });
}

function unreachable(value: never): never {
  throw new Error(`unknown action: ${JSON.stringify(value)}`);
}
