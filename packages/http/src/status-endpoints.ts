import type { Gauge, Metrics } from "./create-metrics.ts";
import { createDocsPage } from "./docs-page.ts";
import { createOpenApi } from "./open-api.ts";
import { htmlReply, jsonReply, textReply } from "./plain-reply.ts";
import type { Posthorn } from "./posthorn.ts";
import type { Route } from "./route.ts";
import type { WireReply } from "./wire-request.ts";

export interface StatusEndpoints {
  /** What answers a path without the base path (decisions §12); `undefined` for a path that is not ours. */
  find(method: string, path: string): (() => Promise<WireReply>) | undefined;
}

interface Parts {
  routes: readonly Route[];
  metrics: Metrics;
  /** Open event streams. */
  streams: () => number;
}

/** Makes `/healthz`, `/readyz`, `/metrics`, `/openapi.json` and `/docs`. */
export function createStatusEndpoints(posthorn: Posthorn, parts: Parts): StatusEndpoints {
  // Made when first asked for: most processes never are.
  let document: ReturnType<typeof createOpenApi> | undefined;
  const openApi = () => {
    document ??= createOpenApi(parts.routes);
    return document;
  };
  const endpoints: Record<string, () => Promise<WireReply>> = {
    "/healthz": async () => jsonReply({ status: "ok" }),
    async "/readyz"() {
      await posthorn.storage.ping();
      return jsonReply({ status: "ready" });
    },
    "/metrics": async () =>
      textReply(
        parts.metrics.write(await readGauges(posthorn, parts.streams())) + writeCounters(posthorn),
        "text/plain; version=0.0.4",
      ),
    "/openapi.json": async () => jsonReply(openApi()),
    "/docs": async () => htmlReply({ html: createDocsPage(openApi()) }),
  };
  return {
    find(method, path) {
      if ((method !== "GET" && method !== "HEAD") || !Object.hasOwn(endpoints, path)) return undefined;
      return endpoints[path];
    },
  };
}

/** What this process's worker did, in Prometheus' text format; all zero where it has none. */
function writeCounters(posthorn: Posthorn): string {
  const { emails, webhooks } = posthorn.counters();
  return [
    ...writeOutcomes("posthorn_email_attempts_total", "Attempts at e-mails since the start.", emails),
    ...writeOutcomes("posthorn_webhook_attempts_total", "Webhook attempts since the start.", webhooks),
    "",
  ].join("\n");
}

const writeOutcomes = (name: string, help: string, outcomes: Record<string, number>): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} counter`,
  ...Object.entries(outcomes).map(([outcome, count]) => `${name}{outcome="${outcome}"} ${count}`),
];

async function readGauges(posthorn: Posthorn, streams: number): Promise<Gauge[]> {
  const memory = process.memoryUsage();
  const cpu = process.cpuUsage();
  const gauges: Gauge[] = [
    { name: "process_resident_memory_bytes", help: "Resident memory.", value: memory.rss },
    { name: "nodejs_heap_used_bytes", help: "Heap in use.", value: memory.heapUsed },
    { name: "process_cpu_seconds", help: "CPU time used.", value: (cpu.user + cpu.system) / 1e6 },
    { name: "process_uptime_seconds", help: "Time since the start.", value: process.uptime() },
    { name: "posthorn_event_streams", help: "Open event streams.", value: streams },
  ];
  try {
    const queue = await posthorn.queueStatus();
    const oldest = queue.oldestDueAt === undefined ? 0 : Math.max(0, Date.now() - queue.oldestDueAt) / 1000;
    gauges.push(
      { name: "posthorn_queue_due", help: "E-mails due now.", value: queue.due },
      { name: "posthorn_queue_waiting", help: "E-mails due later.", value: queue.waiting },
      { name: "posthorn_queue_leased", help: "E-mails in a worker's hands.", value: queue.leased },
      { name: "posthorn_queue_oldest_due_seconds", help: "How long the oldest is due.", value: oldest },
    );
  } catch (error) {
    // The process's own numbers matter most while the storage is away.
    posthorn.logger.warn({ err: error }, "the queue's numbers can't be read");
  }
  return gauges;
}
