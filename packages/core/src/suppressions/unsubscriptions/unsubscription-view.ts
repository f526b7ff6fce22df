import { z } from "zod";
import type { Repositories } from "../../ports/storage.ts";
import { keysOf } from "../rules/suppression-key.ts";
import type { Unsubscription } from "../unsubscribe-link.ts";

/** How long, in ms, an unsubscription can be undone by the link. */
const undoFor = 10 * 60_000;

/** A recipient's subscription to a list, as the link's page shows it. */
export interface UnsubscriptionView {
  /** The list's name. */
  list: string;
  /** The recipient that the link was issued for. */
  email: string;
  /** Whether the recipient still gets mail of the list. */
  isSubscribed: boolean;
  /** Whether the link can still undo the unsubscription. */
  canUndo: boolean;
}

export const tokenInput = z.strictObject({
  token: z
    .string()
    .max(2_000, "is longer than 2,000 characters")
    .describe("The token from the unsubscribe link: the last part of its path."),
});

/** Returns the current state of a subscription. */
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
