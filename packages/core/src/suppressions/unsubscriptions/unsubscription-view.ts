import { z } from "zod";
import type { Repositories } from "../../ports/storage.ts";
import { keysOf } from "../rules/suppression-key.ts";
import type { Unsubscription } from "../unsubscribe-link.ts";

/** How long an unsubscription can be undone by the link, in ms. */
const undoFor = 10 * 60_000;

/** A subscription to a list, as the recipient's link shows it. */
export interface UnsubscriptionView {
  /** The list. */
  list: string;
  /** The recipient that the link was made for. */
  email: string;
  /** Whether mail of the list still goes there. */
  isSubscribed: boolean;
  /** Whether the link may still undo it. */
  canUndo: boolean;
}

export const tokenInput = z.strictObject({
  token: z
    .string()
    .max(2_000, "is longer than 2,000 characters")
    .describe("The token from the unsubscribe link: the last part of its path."),
});

/** How a subscription stands. */
export async function viewUnsubscription(
  storage: Pick<Repositories, "suppressions">,
  { workspaceId, list, address }: Unsubscription,
  now: number,
): Promise<UnsubscriptionView> {
  const [addressKey = ""] = keysOf(address);
  const found = await storage.suppressions.find(workspaceId, { scope: list, addressKey }, now);
  return {
    list,
    email: address,
    isSubscribed: found === undefined,
    canUndo: found?.origin === "unsubscribe" && now - found.createdAt < undoFor,
  };
}
