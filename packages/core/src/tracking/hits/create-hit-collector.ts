import type { Logger } from "../../ports/logger.ts";
import type { TrackingSubject } from "../rules/tracking-token.ts";
import { createHitWriter, type WriterMeans } from "./create-hit-writer.ts";
import type { Hit } from "./hit.ts";
import { burstMs, judgeClicks } from "./judge-clicks.ts";
import { judgeVisit, maxAgent, type Visit } from "./judge-visit.ts";

/** Collects hits on tracked links and images in this process, and has them written once a second. */
export interface HitCollector {
  /** Takes a hit, and waits for nothing. Hits beyond what the memory may hold are dropped, and counted in the log. */
  take(subject: TrackingSubject, visit: Visit): void;
  /** Writes all hits taken so far. Those that the storage did not take stay for the next time. */
  flush(): Promise<void>;
  /** Writes all hits; later ones are dropped. */
  close(): Promise<void>;
}

/** What the collector works with. */
export interface CollectorMeans extends Pick<WriterMeans, "write" | "workspacesOf"> {
  /** Queue time in ms. */
  now(): number;
  /** Elapsed ms, unaffected by changes of any clock. */
  monotonic(): number;
  logger: Pick<Logger, "error" | "warn">;
}

/** Ms between two writes. */
const everyMs = 1_000;
/** Maximum ms that clicks wait for the ones after them. */
const patienceMs = 5 * burstMs;
/** Maximum bytes of hits in memory, by the estimate of `costOf`. */
const roomBytes = 32 * 1024 * 1024;
/** Maximum different hits on one e-mail to one recipient that wait to be judged: whoever makes more is a machine. */
const maxClicks = 16;

/** Clicks on one e-mail to one recipient, which are judged together. */
interface Clicks {
  since: number;
  lastAt: number;
  hits: Hit[];
}

/** A hit's strings have two bytes a character at most; its user agent is the last one's, whatever its length. */
const costOf = ({ url = "" }: Hit): number => 300 + 2 * (url.length + maxAgent);

/** Creates a collector. Its memory is bounded, whatever is requested. */
export function createHitCollector({ now, monotonic, logger, ...means }: CollectorMeans): HitCollector {
  /** Openings by e-mail, recipient and program; clicks by e-mail and recipient. */
  const opens = new Map<string, Hit>();
  const clicks = new Map<string, Clicks>();
  /** Hits that are judged and not yet written. */
  const ready = createHitWriter({
    ...means,
    logger,
    done(hits) {
      for (const hit of hits) held -= costOf(hit);
    },
  });
  let held = 0;
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let isClosed = false;

  /** Drops hits of workspaces that others keep locked: they may be for hours, and the memory is there for all. */
  function makeRoom(): void {
    for (const hit of ready.giveUp()) {
      held -= costOf(hit);
      dropped += hit.count;
    }
  }

  function hold(hit: Hit): boolean {
    const cost = costOf(hit);
    if (held + cost > roomBytes) makeRoom();
    if (held + cost > roomBytes) {
      dropped += hit.count;
      return false;
    }
    held += cost;
    return true;
  }

  function takeOpen(hit: Hit): void {
    const key = `${hit.row} ${hit.position} ${hit.agentClass} ${hit.machine}`;
    const known = opens.get(key);
    if (known !== undefined) repeat(known, hit);
    else if (hold(hit)) opens.set(key, hit);
  }

  function takeClick(hit: Hit): void {
    const key = `${hit.row} ${hit.position}`;
    const known = clicks.get(key);
    const same = known?.hits.find(
      ({ link, machine, agentClass }) =>
        link === hit.link && machine === hit.machine && agentClass === hit.agentClass,
    );
    if (known !== undefined) known.lastAt = monotonic();
    if (same !== undefined) repeat(same, hit);
    else if (known !== undefined && known.hits.length >= maxClicks) repeat(known.hits[0] as Hit, hit);
    else if (hold(hit)) {
      if (known === undefined) clicks.set(key, { since: monotonic(), lastAt: monotonic(), hits: [hit] });
      else known.hits.push(hit);
    }
  }

  /** Judges what need not wait for further hits any more, or everything. */
  function judge(all: boolean): void {
    ready.add([...opens.values()]);
    opens.clear();
    const at = monotonic();
    for (const [key, { since, lastAt, hits }] of clicks) {
      if (!all && at - lastAt <= burstMs && at - since <= patienceMs) continue;
      clicks.delete(key);
      ready.add(judgeClicks(hits));
    }
  }

  /** One write after the other. */
  function writeAll(all: boolean): Promise<void> {
    const before = writing ?? Promise.resolve();
    const next = before.then(async () => {
      judge(all);
      if (dropped > 0)
        logger.warn({ dropped }, "more opens and clicks came than could be written: some are not counted");
      dropped = 0;
      await ready.write();
    });
    writing = next;
    return next;
  }

  function arm(): void {
    if (timer !== undefined || isClosed) return;
    timer = setTimeout(async () => {
      await writeAll(false);
      timer = undefined;
      if (opens.size + clicks.size + ready.size > 0) arm();
    }, everyMs);
    // A host's process that has nothing else to do ends; its `close` writes what is left.
    timer.unref();
  }

  return {
    take(subject, visit) {
      if (isClosed) return;
      const hit = hitOf(subject, visit, now());
      if (subject.kind === "open") takeOpen(hit);
      else takeClick(hit);
      arm();
    },
    flush: () => writeAll(true),
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await writeAll(true);
    },
  };
}

/** Adds a hit to an equal one. */
function repeat(known: Hit, { at, ip, userAgent, count }: Hit): void {
  known.count += count;
  known.lastAt = at;
  known.ip = ip;
  known.userAgent = userAgent;
}

function hitOf(subject: TrackingSubject, visit: Visit, at: number): Hit {
  const { row, position, kind } = subject;
  const target =
    subject.kind === "click" ? { link: subject.link, url: subject.url } : { link: undefined, url: undefined };
  return {
    kind,
    row,
    position,
    ...target,
    at,
    lastAt: at,
    count: 1,
    ...judgeVisit(visit),
    ip: visit.ip.slice(0, 64),
    userAgent: visit.userAgent.slice(0, maxAgent),
  };
}
