import type { Ending } from "../../conversation/delivery.ts";
import { silence } from "../silence.ts";
import type { Journey } from "./journey.ts";
import { settleJourney } from "./settle-journey.ts";
import { withoutAddresses } from "./without-addresses.ts";

/**
 * Ends a message. No final dot was sent, so the server accepted nothing: another server may have the message at once,
 * without a further attempt, if there is one and it `mayMove`.
 */
export function endJourney(journey: Journey, ending: Ending, mayMove = true): void {
  const { patience, to } = journey.delivery;
  if (mayMove && patience !== undefined) journey.hold = silence(withoutAddresses(ending.reply, to));
  else settleJourney(journey, ending);
}
