import { createRequire } from "node:module";
import type { Agent, Dispatcher } from "undici";
import { createHostResolver, type HostResolver } from "../../network/create-host-resolver.ts";
import type { HttpPost, HttpPostResult, HttpSender } from "../../ports/http-sender.ts";
import { parseHttpDate } from "../rules/parse-http-date.ts";
import { maxKeptBytes, toStorableText } from "../rules/storable-text.ts";
import { checkTargetUrl } from "../rules/webhook-target.ts";
import { createGuardedAgent, wasClosedUnused } from "./guarded-agent.ts";
import { faultOf } from "./http-faults.ts";

const maxReadBytes = 65_536;

type Outcome = HttpPostResult extends infer R ? (R extends unknown ? Omit<R, "durationMs"> : never) : never;

/**
 * Creates the {@link HttpSender}, on undici's `request`, which is loaded at the first post. Redirects are returned as
 * responses, nothing is decompressed, and the timeout covers name resolution, connection, headers and body. `resolver`
 * and `load` replace the service's own, for tests; `idleMs` is how long an unused connection stays open, whatever the
 * endpoint asks for.
 */
export function createHttpSender({
  resolver,
  load = loadUndici,
  idleMs = 4_000,
}: {
  resolver?: HostResolver;
  load?: typeof loadUndici;
  idleMs?: number;
} = {}): HttpSender {
  const inFlight = new Set<Promise<HttpPostResult>>();
  let undici: typeof import("undici") | undefined;
  const agents = new Map<boolean, Agent>();

  function agentFor(allowPrivate: boolean, library: typeof import("undici")): Agent {
    const known = agents.get(allowPrivate);
    if (known) return known;
    // Names of internal servers may be relative to a search domain; names that tenants choose must not be.
    const names = resolver ?? createHostResolver({ searches: allowPrivate });
    const agent = createGuardedAgent(library, allowPrivate, names, idleMs);
    agents.set(allowPrivate, agent);
    return agent;
  }

  async function post(request: HttpPost): Promise<HttpPostResult> {
    if (checkTargetUrl(request.url, request.allowPrivate) !== undefined)
      return { ...refuse(request), durationMs: 0 };
    // Loaded before the time begins, which is the endpoint's.
    try {
      undici ??= await load();
    } catch (error) {
      return { kind: "fault", ...faultOf(error), durationMs: 0 };
    }
    const library = undici;
    const started = performance.now();
    const outcome = await attempt(request.timeoutMs, (signal) =>
      library.request(new URL(request.url), {
        dispatcher: agentFor(request.allowPrivate, library),
        method: request.method ?? "POST",
        headers: { ...request.headers, "accept-encoding": "identity" },
        body: request.method === "GET" ? null : request.body,
        signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
    );
    return { ...outcome, durationMs: Math.round(performance.now() - started) };
  }

  return {
    post(request) {
      const running = post(request).finally(() => inFlight.delete(running));
      inFlight.add(running);
      return running;
    },
    async close() {
      await Promise.allSettled(inFlight);
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
      agents.clear();
    },
  };
}

/**
 * Loads undici, again after a failure for want of file descriptors: Node keeps that of a CommonJS module for each later
 * `import`, but not for `require`.
 */
async function loadUndici(): Promise<typeof import("undici")> {
  try {
    return await import("undici");
  } catch (error) {
    // A CommonJS bundle has no URL of its own.
    const here: string | undefined = import.meta.url;
    if (here === undefined) throw error;
    return createRequire(here)("undici");
  }
}

/** If the URL would be accepted with private targets allowed, the fault is its target, otherwise its form. */
function refuse({ url }: HttpPost): Outcome {
  return {
    kind: "fault",
    fault: checkTargetUrl(url, true) === undefined ? "blocked_address" : "invalid_url",
  };
}

async function attempt(
  timeoutMs: number,
  dispatch: (signal: AbortSignal) => Promise<Dispatcher.ResponseData>,
): Promise<Outcome> {
  const control = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // undici checks the signal only once a connection is open, so the request also races the deadline.
  const deadline = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      control.abort();
      resolve(undefined);
    }, timeoutMs);
  });
  try {
    // An endpoint may close an unused connection at any time, which is no fault of the request's.
    const sent = dispatch(control.signal).catch((error: unknown) => {
      if (!wasClosedUnused(error)) throw error;
      return dispatch(control.signal);
    });
    sent.catch(() => {});
    const response = await Promise.race([sent, deadline]);
    if (!response) return { kind: "fault", fault: "timeout" };
    const body = await readStart(response, control.signal);
    // The endpoint's clock may differ from ours.
    const now = Date.now();
    const answeredAt = parseHttpDate(String(response.headers.date), now);
    const retryAfter = parseRetryAfter(response.headers["retry-after"], answeredAt ?? now);
    return {
      kind: "response",
      status: response.statusCode,
      body,
      ...(retryAfter === undefined ? {} : { retryAfter }),
    };
  } catch (error) {
    return { kind: "fault", ...(control.signal.aborted ? { fault: "timeout" } : faultOf(error)) };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads the beginning of a response's body. The status has arrived and decides, so a body that breaks off or times out
 * is no failure.
 */
async function readStart(response: Dispatcher.ResponseData, signal: AbortSignal): Promise<string> {
  const kept: Uint8Array[] = [];
  let read = 0;
  try {
    for await (const chunk of response.body) {
      if (read < maxKeptBytes) kept.push(chunk);
      read += chunk.length;
      if (read >= maxReadBytes || signal.aborted) break;
    }
  } catch {
    // The stream has destroyed itself.
  }
  return toStorableText(Buffer.concat(kept));
}

/**
 * Returns the seconds to wait by a `Retry-After` header, which is a number or an HTTP date (RFC 9110 §10.2.3). `now` is
 * in ms, by the clock of whoever wrote the date.
 */
export function parseRetryAfter(value: string | string[] | undefined, now: number): number | undefined {
  if (typeof value !== "string") return undefined;
  if (/^\d{1,10}$/.test(value)) return Number(value);
  const at = parseHttpDate(value, now);
  return at === undefined ? undefined : Math.max(0, Math.ceil((at - now) / 1_000));
}
