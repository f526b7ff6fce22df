import { signatureHeaders } from "@posthorn/core";
import { version } from "@posthorn/core/version";

export interface SignedPost {
  url: URL;
  secret: string;
  event: string;
  /** Id of the delivery, the same if the event is posted again. */
  id: string;
  body: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** The receiver's response, or the error. */
export interface PostOutcome {
  status: number | undefined;
  error: string;
  durationMs: number;
}

/**
 * Posts an event like a real delivery (decisions §10). Follows no redirect; errors are returned as values. Rejects only
 * when interrupted.
 */
export async function postSigned({
  url,
  secret,
  event,
  id,
  body,
  timeoutMs,
  signal,
}: SignedPost): Promise<PostOutcome> {
  const began = performance.now();
  const outcome = (status: number | undefined, error: string): PostOutcome => ({
    status,
    error,
    durationMs: Math.round(performance.now() - began),
  });
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": `Posthorn/${version}`,
        "X-Service-Event": event,
        ...signatureHeaders({ secrets: [secret], id, timestamp: Date.now(), body }),
      },
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    await response.body?.cancel();
    return outcome(response.status, response.ok ? "" : `answered ${response.status}`);
  } catch (error) {
    if (signal.aborted) throw error;
    const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
    const why =
      (error as Error).name === "TimeoutError"
        ? "timeout"
        : (cause?.code ?? cause?.message ?? (error as Error).message);
    return outcome(undefined, why);
  }
}
