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
 * Posts an event like a real delivery (decisions §10), also to the ports that `fetch` refuses, such as 6666. Follows no
 * redirect; errors are returned as values. Rejects only when interrupted.
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
  const { request } = await import("undici");
  const began = performance.now();
  const outcome = (status: number | undefined, error: string): PostOutcome => ({
    status,
    error,
    durationMs: Math.round(performance.now() - began),
  });
  const ended = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeoutMs))]);
  try {
    const response = request(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": `Posthorn/${version}`,
        "X-Service-Event": event,
        ...signatureHeaders({ secrets: [secret], id, timestamp: Date.now(), body }),
      },
      body,
      signal: ended,
    });
    // undici minds the signal only once a connection is open.
    const { statusCode, body: answer } = await Promise.race([response, abortOf(ended)]);
    // Its end does not matter, nor that it has none.
    answer.on("error", () => {}).destroy();
    const accepted = statusCode >= 200 && statusCode < 300;
    return outcome(statusCode, accepted ? "" : `answered ${statusCode}`);
  } catch (error) {
    if (signal.aborted) throw error;
    const { name, message, code } = error as NodeJS.ErrnoException;
    return outcome(undefined, name === "TimeoutError" ? "timeout" : (code ?? message));
  }
}

/** Rejects with the signal's reason once it is aborted. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
