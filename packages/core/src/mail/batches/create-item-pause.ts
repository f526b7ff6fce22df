import type { ReadContext } from "../../calls/use-case.ts";
import type { BatchRequest } from "./batch-fields.ts";

/** Maximum number of items, and of ms, between two pauses. */
const most = { steps: 200, ms: 15 };

/**
 * Called after each of thousands of items. It pauses after the first, because the whole request was parsed just before,
 * and then every 200 items, or sooner if they are slow.
 */
export type ItemPause = () => Promise<void> | undefined;

/** A batch of no more items than one piece of a long one waits for no turn among long calls. */
export function createItemPause(
  { pause, yieldThread }: Pick<ReadContext, "pause" | "yieldThread">,
  { recipients, emails }: Pick<BatchRequest, "recipients" | "emails">,
): ItemPause {
  const { length } = recipients ?? emails ?? [];
  const rest = length > most.steps ? pause : yieldThread;
  let steps = most.steps;
  let since = performance.now();
  return () => {
    steps += 1;
    if (steps < most.steps && performance.now() - since < most.ms) return undefined;
    steps = 0;
    return rest()?.then(() => {
      since = performance.now();
    });
  };
}
