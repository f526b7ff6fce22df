import type { WriteContext } from "../../calls/use-case.ts";
import type { Email } from "../../ports/storage/emails.ts";
import { everyScope, type Suppression } from "../../ports/storage.ts";
import { isErased } from "../../recipients/rules/erased-address.ts";
import { hashedKey } from "../rules/hashed-key.ts";
import { keysOf } from "../rules/suppression-key.ts";
import { suppress } from "../suppress.ts";
import type { Unsubscription } from "../unsubscribe-link.ts";

/**
 * Unsubscribes an address from a list. Emits the event only once, however often it is repeated. Of an erased recipient
 * nothing is stored but the hash (platform.md P8).
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
  const origin = { caller, clientIp: client.ip, now };
  const { outcomes, notifications } = await suppress(runtime, storage, [entry], origin);
  context.record(notifications);
  if (outcomes[0] !== "unchanged") tell(context, { ...known, address: place.address }, email);
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

/** Emits the event, even if the e-mail itself has been deleted. */
function tell(
  { emitEmailEvent, now }: WriteContext,
  { workspaceId, emailId, ...about }: Unsubscription,
  email: Email | undefined,
): void {
  const known = email ?? { id: emailId, workspaceId, from: "", subject: "", tags: [], metadata: {} };
  const data = { recipient: about.address, list: about.list };
  emitEmailEvent({ type: "email.unsubscribed", email: known, at: now, metadata: data, data });
}
