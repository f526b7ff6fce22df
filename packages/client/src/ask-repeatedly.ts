import { ApiError } from "./api-error.ts";
import { retryAfter } from "./retry-after.ts";
import { startUploadTime } from "./upload-time.ts";

/** One call, with the number of attempts allowed. */
export interface Attempting {
  url: string;
  init: RequestInit;
  /** Whether a repetition has no further effect. */
  isHarmless: boolean;
  retries: number;
  timeoutMs: number;
  /** Whether only the header of a success is awaited: its body may take any time. */
  isDownload?: boolean;
  fetch: typeof fetch;
  signal: AbortSignal | undefined;
}

/** First wait in ms, doubled for each retry, and the longest wait. */
const firstWaitMs = 250;
const longestWaitMs = 10_000;

/**
 * Makes a call and retries it if permitted: after a network failure if a repetition is harmless, and after 429, because
 * nothing was done then. If the server asks for more than ten seconds, the call fails instead of waiting.
 */
export async function askRepeatedly(call: Attempting): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await askOnce(call);
    const wait = waitOf(call, outcome, attempt);
    if (wait === undefined) {
      if (outcome instanceof ApiError) throw outcome;
      return outcome;
    }
    // A connection can be reused only after its response was read.
    if (!(outcome instanceof ApiError)) await outcome.body?.cancel();
    await pause(wait, call.signal);
  }
}

async function askOnce(call: Attempting): Promise<Response | ApiError> {
  const { url, init, timeoutMs, isDownload = false, signal, fetch } = call;
  const time = startUploadTime(init.body, timeoutMs);
  const { signal: timeout, body = null } = time;
  try {
    const either = signal === undefined ? timeout : anyOf(signal, timeout);
    const answer = await fetch(url, { ...init, body, signal: either, redirect: "manual" });
    refuseRedirect(answer);
    return isDownload && answer.ok ? answer : await readWhole(answer);
  } catch (cause) {
    signal?.throwIfAborted();
    const why = timeout.aborted ? `no answer within ${time.ms()} ms` : reasonOf(cause);
    const message = `${serverOf(url)} can't be reached: ${why}.`;
    return new ApiError(message, { status: 0, code: "unreachable", cause });
  } finally {
    time.end();
  }
}

/** `AbortSignal.any`, which Next's edge runtime and the browsers of 2023 lack. */
function anyOf(...signals: AbortSignal[]): AbortSignal {
  if (AbortSignal.any !== undefined) return AbortSignal.any(signals);
  const either = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) either.abort(signal.reason);
    signal.addEventListener("abort", () => either.abort(signal.reason), { once: true });
  }
  return either.signal;
}

/** `fetch` would follow it without the credentials, and mostly with GET. Browsers hide its status and target. */
function refuseRedirect({ type, status, headers }: Response): void {
  const target = headers.get("location")?.replace(/[?#].*/, "");
  if (type !== "opaqueredirect" && (target === undefined || status < 300 || status > 399)) return;
  throw new Error(`it redirects${target === undefined ? "" : ` to ${target}`}; a client needs the final URL`);
}

/** Names the server of a request; a page's own is asked by a path. */
export const serverOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).origin : "The page's server";

/** Returns a response with its whole body, so that a body that breaks off counts as a network failure. */
async function readWhole(answer: Response): Promise<Response> {
  const { status, headers } = answer;
  const body = await answer.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, { status, headers });
}

/** Platforms say "fetch failed" and hide the reason in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message =
    error.cause instanceof Error && error.cause.message !== "" ? error.cause.message : error.message;
  // OpenSSL's own form: a number, `error`, its code, a library, a function, the reason, and where in its source.
  const [, reason] = /:error:\w+:[^:]*:[^:]*:([^:]+):/.exec(message) ?? [];
  if (reason === undefined) return message.trim();
  return reason === "wrong version number"
    ? "it does not answer in TLS; without TLS, its URL begins with http://"
    : `TLS failed: ${reason}`;
}

function waitOf(
  { isHarmless, retries }: Attempting,
  outcome: Response | ApiError,
  attempt: number,
): number | undefined {
  if (attempt >= retries) return undefined;
  const isAgain = outcome.status === 429 || (isHarmless && [0, 502, 503, 504].includes(outcome.status));
  if (!isAgain) return undefined;
  const asked = outcome instanceof ApiError ? undefined : retryAfter(outcome);
  const wait = asked === undefined ? firstWaitMs * 2 ** attempt * (0.5 + Math.random()) : asked * 1_000;
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
