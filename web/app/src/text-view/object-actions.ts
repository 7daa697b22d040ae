/** Runs an object's action: by the visit alone, or with a question, a link or another scene. */
import { destinationOf, opensUnasked, type SceneDestination } from "../routing/destinations.ts";
import type { StoaQuestionDialog } from "../scene/stoa-ask.ts";
import type { ChosenObjectAction } from "./stoa-text-things.ts";
import type { Visit } from "./visit.ts";

/** The dependencies of an action. */
export interface ObjectActionDependencies {
  readonly visit: Visit;
  readonly scene: string;
  readonly asking: Pick<StoaQuestionDialog, "ask" | "mayLeave"> | null;
  /** Enters another scene. */
  readonly travel: (to: SceneDestination) => void;
}

export async function act({ object, action }: ChosenObjectAction, context: ObjectActionDependencies): Promise<void> {
  const { visit } = context;
  switch (action.kind) {
    case "press":
      return visit.press(object);
    case "button":
      return visit.choose(object, action);
    case "travel":
      if (action.press) visit.press(object);
      return visit.travel(action.landmark);
    case "sit":
      return visit.sit(object, action);
    case "open":
      return await follow(action.url, action.newTab, context);
    case "portal":
      return travel(action, context);
    case "ask":
      return visit.answer(object, (await context.asking?.ask(action.question)) ?? null);
    default:
      return unreachable(action);
  }
}

/** Follows a link: another scene of this realm opens in the text view, a link that leads elsewhere asks first. */
async function follow(url: string, newTab: boolean, context: ObjectActionDependencies): Promise<void> {
  const destination = newTab ? null : destinationOf(url, location.origin);
  if (destination !== null) return travel(destination, context);
  const address = new URL(url);
  if (!opensUnasked(url, location.origin) && (await context.asking?.mayLeave(url)) !== true) return;
  if (address.origin === location.origin && !address.searchParams.has("view")) address.searchParams.set("view", "text");
  if (newTab) open(address.href, "_blank", "noopener,noreferrer");
  else location.assign(address.href);
}

/** Goes to a landmark of the current scene, or leaves for another scene. */
function travel(
  { scene, landmark }: SceneDestination,
  { visit, scene: here, travel: leave }: ObjectActionDependencies,
): void {
  if (scene === here) visit.travelTo(landmark);
  else leave({ scene, landmark });
}

function unreachable(value: never): never {
  throw new Error(`unknown action: ${JSON.stringify(value)}`);
}
