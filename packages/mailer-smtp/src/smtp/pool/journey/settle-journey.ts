import type { Ending } from "../../conversation/delivery.ts";
import type { Journey } from "./journey.ts";

/** Ends a message with the same outcome for all recipients that are still open. */
export function settleJourney(journey: Journey, ending: Ending): void {
  for (const index of journey.endings.keys()) journey.endings[index] ??= ending;
}
