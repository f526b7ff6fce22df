import { serviceCaller } from "../../calls/caller.ts";
import { changeAndNotify } from "../../calls/change-and-notify.ts";
import type { Outbox } from "../../calls/change-piece.ts";
import { createEvent } from "../../calls/outbox.ts";
import type { ApiKey, Repositories } from "../../ports/storage.ts";
import type { Runtime } from "../../service/runtime.ts";

/** Number of keys that are handled in one transaction. */
const chunk = 100;
/** Maximum keys that one mail lists by name; of the others it gives the number. */
const namedInMail = 20;

/**
 * Announces API keys that expire within 14 days, each once (decisions §8): one event per key, and one mail per
 * workspace to its owner, written in the same transaction as the mark that they were announced. A key with a lifetime
 * under 28 days is announced after half of it, and one that expired while no worker ran, all the same. Returns the number
 * of keys.
 */
export async function announceExpiringKeys(
  runtime: Runtime,
  stopped: () => boolean = () => false,
): Promise<number> {
  let told = 0;
  for (let count = chunk; count === chunk && !stopped(); told += count) {
    count = await changeAndNotify(runtime, async (storage, outbox) => {
      const keys = await storage.apiKeys.takeExpiring(runtime.queueClock.now(), chunk);
      await addNotices(runtime, storage, outbox, keys);
      return keys.length;
    });
  }
  return told;
}

/** Adds one event per key and one mail per workspace. */
async function addNotices(
  runtime: Runtime,
  storage: Repositories,
  outbox: Outbox,
  keys: ApiKey[],
): Promise<void> {
  const now = runtime.now();
  for (const [workspaceId, own] of Map.groupBy(keys, (key) => key.workspaceId)) {
    for (const { id, name, prefix, expiresAt } of own) {
      const metadata = { api_key_id: id, name, prefix, expires_at: new Date(expiresAt ?? now).toISOString() };
      const origin = { caller: serviceCaller, workspaceId, clientIp: "", now };
      outbox.events.push(createEvent("apikey.expiring", { metadata }, origin));
    }
    const workspace = await storage.workspaces.find(workspaceId);
    const owner = await storage.members.findOwner(workspaceId);
    if (workspace === undefined || owner === undefined) continue;
    outbox.mails.push({
      kind: "api_keys_expiring",
      to: { name: owner.name, address: owner.email },
      data: { name: owner.name, workspace: workspace.name, keys: sayKeys(own, now) },
    });
  }
}

function sayKeys(keys: ApiKey[], now: number): string[] {
  const named = keys.slice(0, namedInMail).map(({ name, prefix, expiresAt = now }) => {
    const end = new Date(expiresAt).toISOString().slice(0, 16).replace("T", " ");
    return `${name} (${prefix}…) ${expiresAt > now ? "expires" : "expired"} at ${end} UTC`;
  });
  const more = keys.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])];
}
