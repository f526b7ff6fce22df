import { ApiError } from "./api-error.ts";

/** One call, and how often it may be made. */
export interface Attempting {
  url: string;
  init: RequestInit;
  /** Whether making it twice does no more than making it once. */
  isHarmless: boolean;
  retries: number;
  timeoutMs: number;
  /** Whether only the beginning of the answer is waited for: its body may take as long as it takes. */
  isDownload?: boolean;
  fetch: typeof fetch;
  signal: AbortSignal | undefined;
}

/** ms that a wait grows from, doubled each time, and the longest that is waited for. */
const firstWaitMs = 250;
const longestWaitMs = 10_000;

/**
 * The answer of a call that is tried again where it may be: after a fault on the way if making it twice does no harm, and after 429,
 * which comes before anything was done. A server that wants a longer wait than ten seconds is taken at its word, and not waited for.
 */
export async function askRepeatedly(call: Attempting): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await askOnce(call);
    const wait = waitOf(call, outcome, attempt);
    if (wait === undefined) {
      if (outcome instanceof ApiError) throw outcome;
      return outcome;
    }
    // A connection is free for others only once its answer is read.
    if (!(outcome instanceof ApiError)) await outcome.body?.cancel();
    await pause(wait, call.signal);
  }
}

async function askOnce(call: Attempting): Promise<Response | ApiError> {
  const { url, init, timeoutMs, isDownload = false, signal, fetch } = call;
  const beginning = new AbortController();
  const timer = isDownload ? setTimeout(() => beginning.abort(), timeoutMs) : undefined;
  const timeout = isDownload ? beginning.signal : AbortSignal.timeout(timeoutMs);
  try {
    const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    const answer = await fetch(url, { ...init, signal: either });
    clearTimeout(timer);
    return isDownload ? answer : await readWhole(answer);
  } catch (cause) {
    clearTimeout(timer);
    signal?.throwIfAborted();
    const why = timeout.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(cause);
    const message = `${new URL(url).origin} can't be reached: ${why}.`;
    return new ApiError(message, { status: 0, code: "unreachable", cause });
  }
}

/** The answer with its body at hand: one that breaks off is a fault on the way, like no answer. */
async function readWhole(answer: Response): Promise<Response> {
  const { status, headers } = answer;
  const body = await answer.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, { status, headers });
}

/** Platforms say "fetch failed" and keep what failed behind it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
}

function waitOf(
  { isHarmless, retries }: Attempting,
  outcome: Response | ApiError,
  attempt: number,
): number | undefined {
  if (attempt >= retries) return undefined;
  const isAgain = outcome.status === 429 || (isHarmless && [0, 502, 503, 504].includes(outcome.status));
  if (!isAgain) return undefined;
  const asked = outcome instanceof ApiError ? null : outcome.headers.get("retry-after");
  const wait = asked === null ? firstWaitMs * 2 ** attempt * (0.5 + Math.random()) : Number(asked) * 1_000;
  return wait <= longestWaitMs ? wait : undefined;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}
