/** Upper bounds of the latency histogram, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Request metrics of one handler. */
export interface Metrics {
  /** Records a response. `route` is a route's pattern, never a path, which the caller chooses. */
  record(route: string, status: number, milliseconds: number): void;
  /** Writes the metrics in Prometheus' text format, with additional gauges. */
  write(gauges: readonly Gauge[]): string;
}

export interface Gauge {
  name: string;
  help: string;
  value: number;
}

interface Series {
  /** Counts by status class: index 2 counts 2xx. */
  classes: number[];
  buckets: number[];
  count: number;
  seconds: number;
}

/** Creates request counters by route and status class, and latency histograms. */
export function createMetrics(): Metrics {
  const byRoute = new Map<string, Series>();
  return {
    record(route, status, milliseconds) {
      let series = byRoute.get(route);
      if (series === undefined) {
        series = { classes: [0, 0, 0, 0, 0, 0], buckets: bounds.map(() => 0), count: 0, seconds: 0 };
        byRoute.set(route, series);
      }
      const seconds = milliseconds / 1000;
      const kind = Math.min(5, Math.floor(status / 100));
      series.classes[kind] = (series.classes[kind] ?? 0) + 1;
      const bucket = bounds.findIndex((bound) => seconds <= bound);
      if (bucket >= 0) series.buckets[bucket] = (series.buckets[bucket] ?? 0) + 1;
      series.count += 1;
      series.seconds += seconds;
    },
    write: (gauges) => `${[...writeRequests(byRoute), ...writeGauges(gauges)].join("\n")}\n`,
  };
}

function writeRequests(byRoute: Map<string, Series>): string[] {
  const routes = [...byRoute].sort(([a], [b]) => (a < b ? -1 : 1));
  const counts = routes.flatMap(([route, { classes }]) =>
    classes.flatMap((count, kind) =>
      count > 0
        ? [`posthorn_http_requests_total{route="${escapeLabel(route)}",status="${kind}xx"} ${count}`]
        : [],
    ),
  );
  const latencies = routes.flatMap(([route, series]) => writeHistogram(escapeLabel(route), series));
  return [
    "# HELP posthorn_http_requests_total Requests answered.",
    "# TYPE posthorn_http_requests_total counter",
    ...counts,
    "# HELP posthorn_http_request_duration_seconds Time from a request's arrival to its answer.",
    "# TYPE posthorn_http_request_duration_seconds histogram",
    ...latencies,
  ];
}

function writeHistogram(route: string, { buckets, count, seconds }: Series): string[] {
  const name = "posthorn_http_request_duration_seconds";
  let sum = 0;
  const lines = bounds.map((bound, at) => {
    sum += buckets[at] ?? 0;
    return `${name}_bucket{route="${route}",le="${bound}"} ${sum}`;
  });
  return [
    ...lines,
    `${name}_bucket{route="${route}",le="+Inf"} ${count}`,
    `${name}_sum{route="${route}"} ${seconds}`,
    `${name}_count{route="${route}"} ${count}`,
  ];
}

function writeGauges(gauges: readonly Gauge[]): string[] {
  return gauges.flatMap(({ name, help, value }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    `${name} ${value}`,
  ]);
}

const escapeLabel = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
