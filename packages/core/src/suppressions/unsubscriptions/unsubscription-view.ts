import { z } from "zod";
import type { ReadContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { Suppression } from "../../ports/storage.ts";
import { findEither } from "../find-either.ts";
import { keysOf } from "../rules/suppression-key.ts";
import { readUnsubscribeToken, type Unsubscription } from "../unsubscribe-link.ts";

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

/** Names calls by their link, of which mail programs and scanners repeat many at once. */
export const repeatsOfLink = { key: (_: unknown, { token }: { token: string }) => token };

/** Reads the link's data. Throws `not_found` for a link that this service did not issue. */
export function readLink(runtime: Parameters<typeof readUnsubscribeToken>[0], token: string): Unsubscription {
  const known = readUnsubscribeToken(runtime, token);
  if (known === undefined) throw noSubscription();
  return known;
}

/** Reads the data of a link of a workspace that still exists. Throws `not_found` for any other. */
export async function findSubscription(
  { storage, runtime }: Pick<ReadContext, "storage" | "runtime">,
  token: string,
): Promise<Unsubscription> {
  const known = readLink(runtime, token);
  if ((await storage.workspaces.find(known.workspaceId)) === undefined) throw noSubscription();
  return known;
}

const noSubscription = () => new ServiceError("not_found", { message: "There is no such subscription." });

/** Finds what stops the list's mail to the recipient, who may have been erased since. */
export function findUnsubscription(
  { storage, now }: Pick<ReadContext, "storage" | "now">,
  { workspaceId, list, address }: Unsubscription,
): Promise<Suppression | undefined> {
  const [addressKey = ""] = keysOf(address);
  return findEither(storage, { workspaceId, scope: list, addressKey, now });
}

/** Returns the current state of a subscription. */
export async function viewUnsubscription(
  context: Pick<ReadContext, "storage" | "now">,
  known: Unsubscription,
): Promise<UnsubscriptionView> {
  return viewOf(known, await findUnsubscription(context, known), context.now);
}

/** Returns a subscription's state by what was found to stop it. */
export const viewOf = (
  { list, address }: Unsubscription,
  found: Suppression | undefined,
  now: number,
): UnsubscriptionView => ({
  list,
  email: address,
  isSubscribed: found === undefined,
  canUndo: found?.origin === "unsubscribe" && now - found.createdAt < undoFor,
});
