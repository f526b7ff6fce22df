import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { workspaceOfRoute } from "../../mail/rules/routes.ts";
import { everyRoute, type MetricCounts, type RouteStatus, type WebhookStatus } from "../../ports/storage.ts";
import { viewBacklog, type WebhookBacklogView } from "../../webhooks/delivery/view-backlog.ts";
import { aliveMs } from "../heartbeat.ts";
import { findRestoredCopy, type RestoredCopy } from "../restored-copy.ts";
import { listFailures, type MailFailure } from "./list-failures.ts";

/** Status of a route, in numbers of e-mails. */
export interface RouteView extends RouteStatus {
  /** The workspace whose e-mails use the route; `undefined` for the service's own. */
  workspaceId: number | undefined;
}

/** What waits for webhooks, in numbers of deliveries. Times are ms since the epoch. */
export interface WebhookQueueView extends WebhookStatus {
  /** At most 100 webhooks that something waits for, the longest due first. */
  endpoints: WebhookBacklogView[];
}

/** Status of the queue, in numbers of e-mails. Times are ms since the epoch. */
export interface QueueView {
  /** E-mails that are due now. */
  due: number;
  /** E-mails that are due later. */
  waiting: number;
  /** E-mails that workers have claimed. */
  leased: number;
  /** When the oldest due e-mail fell due. */
  oldestDueAt: number | undefined;
  /** Set while delivery of all e-mails is paused. */
  paused: { since: number; reason: string } | undefined;
  /**
   * Set in a copy of a database that nobody has delivered from yet: e-mails that are due may have been sent since it
   * was made.
   */
  restoredCopy: RestoredCopy | undefined;
  /** The workers, last seen first. */
  workers: { id: string; seenAt: number }[];
  /** At most 100 routes: held ones first, then the longest due. */
  routes: RouteView[];
  /** The deliveries to webhooks. */
  webhooks: WebhookQueueView;
  /** Outcomes of recipients since the database was created. The difference of two readings gives a rate. */
  totals: MetricCounts;
  /** The latest failures, newest first: at most 10, of the last 500 events. */
  failures: MailFailure[];
}

/** Returns the queue's status: its size, the routes that are held and why, and the workers that deliver. */
export const getQueueStatus = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({}),
  async run({ storage, runtime }): Promise<QueueView> {
    // Reads the database's clock, as a new process knows only its own, and heartbeats are by the database's.
    const now = await runtime.queueClock.exact();
    const [status, parked, routes, deliveries, backlog, ...others] = await Promise.all([
      storage.emailQueue.status(now),
      storage.emailQueue.parked(now),
      storage.emailQueue.routes(now, 100),
      storage.webhookDeliveries.status(now),
      storage.webhookDeliveries.backlog(now, 100),
      storage.operations.listWorkers(now - aliveMs),
      storage.metrics.totals(),
      listFailures(storage.events),
      findRestoredCopy(storage),
    ]);
    const [workers, totals, failures, restoredCopy] = others;
    const hold = parked.find(({ route }) => route === everyRoute);
    return {
      ...status,
      paused: hold && { since: hold.parkedAt, reason: hold.reason },
      workers: workers.map(({ worker, seenAt }) => ({ id: worker, seenAt })),
      routes: routes.map((route) => ({ ...route, workspaceId: workspaceOfRoute(route.route) })),
      webhooks: { ...deliveries, endpoints: backlog.map((one) => viewBacklog(one, now)) },
      totals,
      failures,
      restoredCopy,
    };
  },
});
