import { changeAndTell } from "../../calls/change-and-tell.ts";
import type { Outbox } from "../../calls/change-piece.ts";
import { createEvent } from "../../calls/outbox.ts";
import type { ApiKey, Repositories } from "../../ports/storage.ts";
import type { Runtime } from "../../service/runtime.ts";

/** Keys told of in one transaction. */
const chunk = 100;
/** Keys that one mail names; of more it says how many. */
const namedInMail = 20;
const caller = { kind: "operator", name: "Posthorn" } as const;

/**
 * Tells of API keys that end within 14 days, each once (decisions §8): an event, and a mail to the workspace's owner, written
 * together with the note that it was told. A key that lives for less than 28 days is told of after half its life. How many keys.
 */
export async function tellExpiringKeys(
  runtime: Runtime,
  stopped: () => boolean = () => false,
): Promise<number> {
  let told = 0;
  for (let count = chunk; count === chunk && !stopped(); told += count) {
    count = await changeAndTell(runtime, async (storage, outbox) => {
      const keys = await storage.apiKeys.takeExpiring(runtime.queueClock.now(), chunk);
      await addNotices(runtime, storage, outbox, keys);
      return keys.length;
    });
  }
  return told;
}

/** An event a key, and a mail a workspace. */
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
      const origin = { caller, workspaceId, clientIp: "", now };
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

function sayKeys(keys: ApiKey[], now: number): string {
  const named = keys.slice(0, namedInMail).map(({ name, prefix, expiresAt = now }) => {
    const end = new Date(expiresAt).toISOString().slice(0, 16).replace("T", " ");
    return `${name} (${prefix}…) at ${end} UTC`;
  });
  const more = keys.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}
