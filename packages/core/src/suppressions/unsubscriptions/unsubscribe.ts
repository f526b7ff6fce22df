import type { WriteContext } from "../../calls/use-case.ts";
import { createNotifications } from "../../mail/email-events.ts";
import type { EmailEvent } from "../../mail/notifications.ts";
import { type Email, everyScope, type Suppression } from "../../ports/storage.ts";
import { isErased } from "../../recipients/rules/erased-address.ts";
import { hashedKey } from "../rules/hashed-key.ts";
import { keysOf } from "../rules/suppression-key.ts";
import { suppress } from "../suppress.ts";
import type { Unsubscription } from "../unsubscribe-link.ts";

/**
 * Unsubscribes an address from a list. Emits the event only once, however often it is repeated. Of an erased recipient
 * nothing is stored but the hash (platform.md P8), and not from where they did it.
 */
export async function unsubscribe(context: WriteContext, known: Unsubscription): Promise<void> {
  const { storage, runtime, now, caller, client } = context;
  const { workspaceId, list, emailId } = known;
  const email = await storage.emails.find(workspaceId, emailId, now);
  const place = await placeOf(context, known, email);
  const entry = {
    workspaceId,
    scope: list,
    ...place,
    origin: "unsubscribe",
    reason: "",
    emailId,
    createdBy: undefined,
    createdAt: now,
    expiresAt: undefined,
  } as const;
  const origin = { caller, clientIp: isErased(place.address) ? "" : client.ip, now };
  const { outcomes, notifications } = await suppress(runtime, storage, [entry], origin);
  context.record(notifications);
  if (outcomes[0] === "unchanged") return;
  const event = eventOf({ ...known, address: place.address }, email, now);
  context.record(await createNotifications(runtime, storage, [event], origin));
}

type Place = Pick<Suppression, "addressKey" | "address">;

/** Returns the address and its key, or what stands for both if the recipient was erased since. */
async function placeOf(
  { storage, now }: Pick<WriteContext, "storage" | "now">,
  { workspaceId, list, address }: Unsubscription,
  email: Email | undefined,
): Promise<Place> {
  const [addressKey = ""] = keysOf(address);
  const standIn = email?.to.find(isErased);
  const key = await storage.operations.findFact("erasure_key");
  if (key === undefined || (email !== undefined && standIn === undefined)) return { addressKey, address };
  const hashed = hashedKey(key, workspaceId, addressKey);
  if (standIn !== undefined) return { addressKey: hashed, address: standIn };
  // The e-mail is gone: only a suppression tells whether its recipient was erased.
  for (const scope of [list, everyScope]) {
    const kept = await storage.suppressions.find(workspaceId, { scope, addressKey: hashed }, now);
    if (kept !== undefined) return { addressKey: hashed, address: kept.address };
  }
  return { addressKey, address };
}

/** Makes the event, even if the e-mail itself has been deleted. */
function eventOf(
  { workspaceId, emailId, address, list }: Unsubscription,
  email: Email | undefined,
  at: number,
): EmailEvent {
  const known = email ?? { id: emailId, workspaceId, from: "", subject: "", tags: [], metadata: {} };
  const data = { recipient: address, list };
  return { type: "email.unsubscribed", email: known, at, metadata: data, data };
}
