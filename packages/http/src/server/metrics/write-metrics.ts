import type { ServedPosthorn } from "../served-posthorn.ts";
import { createCostCache } from "./create-cost-cache.ts";
import type { Gauge, Metrics } from "./create-metrics.ts";

/**
 * Creates a writer of the metrics of a handler and its service, in Prometheus' text format. Reading the storage for
 * them takes at most a hundredth of the time, so the figures of a very long queue may be some seconds old.
 */
export function createMetricsWriter(
  posthorn: ServedPosthorn,
  metrics: Metrics,
  streams: () => number,
): () => Promise<string> {
  const readQueue = createCostCache(() => posthorn.queueStatus());
  const readTotals = createCostCache(() => posthorn.mailTotals());
  return async () => {
    const { user, system } = process.cpuUsage();
    const cpuSeconds = (user + system) / 1e6;
    return [
      metrics.write(await readGauges(posthorn, readQueue, streams())),
      "# HELP process_cpu_seconds_total CPU time used.\n",
      "# TYPE process_cpu_seconds_total counter\n",
      `process_cpu_seconds_total ${cpuSeconds}\n`,
      await writeCounters(posthorn),
      await writeTotals(readTotals),
    ].join("");
  };
}

/**
 * Writes delivery totals since the database was created, by recipient and, for the largest mailbox providers, by
 * domain; none while the storage is unavailable.
 */
async function writeTotals(readTotals: ServedPosthorn["mailTotals"]): Promise<string> {
  const totals = await readTotals().catch(() => undefined);
  if (totals === undefined) return "";
  const name = "posthorn_recipients_total";
  return [
    `# HELP ${name} Recipients of e-mails, of all processes.`,
    `# TYPE ${name} counter`,
    ...totals.flatMap(({ domain, ...counts }) =>
      Object.entries(counts).map(
        ([result, count]) => `${name}{domain="${domain}",result="${result}"} ${count}`,
      ),
    ),
    "",
  ].join("\n");
}

/** Writes the counters of this process's worker; all zero if it has none. */
async function writeCounters(posthorn: ServedPosthorn): Promise<string> {
  const { emails, webhooks, inbound } = await posthorn.counters();
  return [
    ...writeOutcomes("posthorn_email_attempts_total", "Attempts at e-mails since the start.", emails),
    ...writeOutcomes("posthorn_webhook_attempts_total", "Webhook attempts since the start.", webhooks),
    ...writeOutcomes("posthorn_inbound_total", "Messages that came back since the start.", inbound),
    "",
  ].join("\n");
}

const writeOutcomes = (name: string, help: string, outcomes: Record<string, number>): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} counter`,
  ...Object.entries(outcomes).map(([outcome, count]) => `${name}{outcome="${outcome}"} ${count}`),
];

async function readGauges(
  posthorn: ServedPosthorn,
  readQueue: ServedPosthorn["queueStatus"],
  streams: number,
): Promise<Gauge[]> {
  const memory = process.memoryUsage();
  const gauges: Gauge[] = [
    { name: "process_resident_memory_bytes", help: "Resident memory.", value: memory.rss },
    { name: "nodejs_heap_used_bytes", help: "Heap in use.", value: memory.heapUsed },
    { name: "process_uptime_seconds", help: "Time since the start.", value: process.uptime() },
    { name: "posthorn_event_streams", help: "Open event streams.", value: streams },
  ];
  try {
    const queue = await readQueue();
    const now = posthorn.now();
    const secondsSince = (at = now): number => Math.max(0, now - at) / 1000;
    gauges.push(
      { name: "posthorn_queue_due", help: "E-mails due now.", value: queue.due },
      { name: "posthorn_queue_waiting", help: "E-mails due later.", value: queue.waiting },
      { name: "posthorn_queue_leased", help: "E-mails that a worker has leased.", value: queue.leased },
      {
        name: "posthorn_queue_oldest_due_seconds",
        help: "How long the oldest is due.",
        value: secondsSince(queue.oldestDueAt),
      },
      {
        name: "posthorn_webhook_deliveries_pending",
        help: "Webhook deliveries that are due, postponed or being attempted.",
        value: queue.webhooks.pending,
      },
      {
        name: "posthorn_webhook_oldest_due_seconds",
        help: "How long the oldest delivery to an endpoint that works and is not slow is due.",
        value: secondsSince(queue.webhooks.oldestDueAt),
      },
    );
  } catch (error) {
    // The process's own metrics matter most while the storage is unavailable.
    posthorn.logger.warn({ err: error }, "the queue's numbers can't be read");
  }
  return gauges;
}
