import { serviceCaller } from "../../../calls/caller.ts";
import { changeAndNotify } from "../../../calls/change-and-notify.ts";
import type { Outbox } from "../../../calls/change-piece.ts";
import { createEvent } from "../../../calls/outbox.ts";
import type { EventType } from "../../../events.ts";
import type { Repositories, SmtpServer, SmtpServerHealth } from "../../../ports/storage.ts";
import type { Runtime } from "../../../service/runtime.ts";
import { deliveriesTo } from "../../../webhooks/deliveries-to.ts";

/** Ms without a mail through a server that is down until its owner is notified (platform.md P5). */
const patienceMs = 15 * 60_000;

/**
 * Writes a server's new health with its notification, unless another process has changed it since: if several processes
 * meet the same fault, one notifies.
 */
export async function recordServerChange(
  runtime: Runtime,
  server: SmtpServer,
  health: SmtpServerHealth,
): Promise<void> {
  const now = runtime.queueClock.now();
  const before = server.health;
  const isLate =
    health.state === "down" && before.toldAt === undefined && now - (before.downSince ?? now) >= patienceMs;
  const after = isLate ? { ...health, toldAt: now } : health;
  await changeAndNotify(runtime, async (storage, outbox) => {
    if (!(await storage.smtpServers.changeHealth(server.row, server.healthVersion, after))) return;
    if (after.state === "down" && before.state !== "down")
      await tell(runtime, storage, server, outbox, { type: "smtp_server.down", reason: after.lastError });
    if (after.state === "up" && before.state === "down") {
      await storage.emailQueue.unparkServers(server.workspaceId);
      outbox.topics.push("emails");
      await tell(runtime, storage, server, outbox, { type: "smtp_server.recovered" });
    }
    if (isLate) await tellOwner(storage, server, after, outbox);
  });
}

/** Records the event, and a delivery for each subscribed webhook. */
async function tell(
  runtime: Runtime,
  storage: Repositories,
  { id, name, workspaceId }: SmtpServer,
  outbox: Outbox,
  { type, ...more }: { type: EventType; reason?: string },
): Promise<void> {
  const now = runtime.now();
  const metadata = { smtp_server_id: id, name, ...more };
  outbox.events.push(
    createEvent(type, { metadata }, { caller: serviceCaller, workspaceId, clientIp: "", now }),
  );
  const webhooks = await storage.webhooks.listActive([workspaceId]);
  const payload = () => JSON.stringify({ event: type, ...metadata, timestamp: new Date(now).toISOString() });
  outbox.deliveries.push(...deliveriesTo(runtime, webhooks, { workspaceId, type, at: now, payload }));
}

async function tellOwner(
  storage: Repositories,
  { name, workspaceId }: SmtpServer,
  { lastError, downSince = 0 }: SmtpServerHealth,
  outbox: Outbox,
): Promise<void> {
  const owner = await storage.members.findOwner(workspaceId);
  const workspace = await storage.workspaces.find(workspaceId);
  if (owner === undefined || workspace === undefined) return;
  outbox.mails.push({
    kind: "smtp_server_down",
    to: { name: owner.name, address: owner.email },
    data: {
      name: owner.name,
      workspace: workspace.name,
      server: name,
      since: `${new Date(downSince).toISOString().slice(0, 16).replace("T", " ")} UTC`,
      reason: lastError,
    },
  });
}
