import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { workspaceOfRoute } from "../mail/rules/routes.ts";
import type { MetricCounts } from "../ports/storage/metrics.ts";
import { everyRoute, type RouteStatus } from "../ports/storage.ts";
import { listFailures, type MailFailure } from "./list-failures.ts";
import { findRestoredCopy, type RestoredCopy } from "./restored-copy.ts";

/** Ms without a sign of life after which a worker is taken for dead: they give one every 10 s. */
const aliveMs = 30_000;

/** How a route stands, in e-mails. */
export interface RouteView extends RouteStatus {
  /** Whose e-mails wait there; `undefined` for the service's own. */
  workspaceId: number | undefined;
}

/** How the queue stands, in e-mails. Times are ms since the epoch. */
export interface QueueView {
  /** E-mails that could be delivered now. */
  due: number;
  /** E-mails that fall due later. */
  waiting: number;
  /** In a worker's hands. */
  leased: number;
  /** When the longest-due e-mail fell due. */
  oldestDueAt: number | undefined;
  /** Set while all delivery of e-mails is held. */
  paused: { since: number; reason: string } | undefined;
  /** Set in a copy of a database from which nobody has delivered yet: what is due may have been sent since it was made. */
  restoredCopy: RestoredCopy | undefined;
  /** Who delivers, the last seen first. */
  workers: { id: string; seenAt: number }[];
  /** At most 100, the longest due first. */
  routes: RouteView[];
  /** What became of recipients since the database was begun: two looks make a rate. */
  totals: MetricCounts;
  /** What went wrong of late, the latest first: at most 10, of the last 500 events. */
  failures: MailFailure[];
}

/** The queue's status: how full it is, which routes are held and why, and which workers deliver. */
export const getQueueStatus = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({}),
  async run({ storage, runtime }): Promise<QueueView> {
    // A process that just began knows only its own clock, and workers give their signs of life by the database's.
    const now = await runtime.queueClock.exact();
    const [status, parked, routes, workers, totals, failures, restoredCopy] = await Promise.all([
      storage.emailQueue.status(now),
      storage.emailQueue.parked(now),
      storage.emailQueue.routes(now, 100),
      storage.operations.listWorkers(now - aliveMs),
      storage.metrics.totals(),
      listFailures(storage.events),
      findRestoredCopy(storage),
    ]);
    const hold = parked.find(({ route }) => route === everyRoute);
    return {
      ...status,
      paused: hold && { since: hold.parkedAt, reason: hold.reason },
      workers: workers.map(({ worker, seenAt }) => ({ id: worker, seenAt })),
      routes: routes.map((route) => ({ ...route, workspaceId: workspaceOfRoute(route.route) })),
      totals,
      failures,
      restoredCopy,
    };
  },
});
