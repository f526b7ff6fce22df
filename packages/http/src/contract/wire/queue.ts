import type { OutputOf } from "@posthorn/core";
import type { useCases } from "@posthorn/core/internal";
import { z } from "zod";
import { wire } from "../route.ts";
import { mailCounts } from "./metrics.ts";
import { integer, named, time, timeOrNull, timestamp, uuid } from "./schemas.ts";

type Queue = OutputOf<(typeof useCases)["queue"]["status"]>;

const counts = { due: integer, waiting: integer, leased: integer, oldest_due_at: timestamp.nullable() };

const hold = named(
  "QueueHold",
  z.object({
    owner: z.enum(["operator", "campaign", "server"]),
    reason: z.string(),
    until: timestamp.nullable(),
  }),
);

const route = named(
  "QueueRoute",
  z.object({ route: z.string(), workspace_id: integer.nullable(), ...counts, holds: z.array(hold) }),
);

const failure = named(
  "MailFailure",
  z.object({
    email_id: uuid,
    workspace_id: integer.nullable(),
    type: z.enum(["email.failed", "email.delivery_delayed", "email.bounced"]),
    at: timestamp,
    reason: z.string(),
  }),
);

const webhook = named(
  "QueueWebhook",
  z.object({
    webhook_id: uuid,
    workspace_id: integer,
    host: z.string(),
    due: integer,
    waiting: integer,
    oldest_due_at: timestamp.nullable(),
    state: z.enum(["working", "slow", "failing", "paused", "off"]),
    paused_until: timestamp.nullable(),
    failures: integer,
    error: z.string().nullable(),
  }),
);

const webhooksWire = wire(
  named(
    "QueueWebhooks",
    z.object({ pending: integer, oldest_due_at: timestamp.nullable(), endpoints: z.array(webhook) }),
  ),
  ({ pending, oldestDueAt, endpoints }: Queue["webhooks"]) => ({
    pending,
    oldest_due_at: timeOrNull(oldestDueAt),
    endpoints: endpoints.map((one) => ({
      webhook_id: one.webhookId,
      workspace_id: one.workspaceId,
      host: one.host,
      due: one.due,
      waiting: one.waiting,
      oldest_due_at: timeOrNull(one.oldestDueAt),
      state: one.state,
      paused_until: timeOrNull(one.pausedUntil),
      failures: one.failures,
      error: one.error ?? null,
    })),
  }),
);

const worker = named("Worker", z.object({ id: z.string(), seen_at: timestamp }));

/** Status of the queue. */
export const queueWire = wire(
  named(
    "QueueStatus",
    z.object({
      ...counts,
      paused: z.boolean(),
      paused_at: timestamp.nullable(),
      paused_reason: z.string().nullable(),
      restored_from: timestamp.nullable(),
      workers: z.array(worker),
      routes: z.array(route),
      webhooks: webhooksWire.schema,
      totals: z.object(mailCounts),
      failures: z.array(failure),
    }),
  ),
  ({
    due,
    waiting,
    leased,
    oldestDueAt,
    paused,
    workers,
    routes,
    webhooks,
    totals,
    failures,
    restoredCopy,
  }: Queue) => ({
    due,
    waiting,
    leased,
    oldest_due_at: timeOrNull(oldestDueAt),
    paused: paused !== undefined,
    paused_at: timeOrNull(paused?.since),
    paused_reason: paused?.reason ?? null,
    restored_from: timeOrNull(restoredCopy?.copiedAt),
    workers: workers.map(({ id, seenAt }) => ({ id, seen_at: time(seenAt) })),
    routes: routes.map((one) => ({
      route: one.route,
      workspace_id: one.workspaceId ?? null,
      due: one.due,
      waiting: one.waiting,
      leased: one.leased,
      oldest_due_at: timeOrNull(one.oldestDueAt),
      holds: one.holds.map(({ owner, reason, until }) => ({ owner, reason, until: timeOrNull(until) })),
    })),
    webhooks: webhooksWire.from(webhooks),
    totals,
    failures: failures.map(({ emailId, workspaceId, type, at, reason }) => ({
      email_id: emailId,
      workspace_id: workspaceId ?? null,
      type,
      at: time(at),
      reason,
    })),
  }),
);

/** Whether a pause or resume changed anything. */
export const queueChangeWire = wire(
  named("QueueChange", z.object({ changed: z.boolean(), dropped: integer })),
  ({ changed, dropped = 0 }: { changed: boolean; dropped?: number }) => ({ changed, dropped }),
);
