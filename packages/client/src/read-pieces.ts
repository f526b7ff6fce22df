import { ApiError } from "./api-error.ts";
import { serverOf } from "./ask-repeatedly.ts";

/** How the response to a request is read. */
export interface Reading {
  url: string;
  signal: AbortSignal | undefined;
  timeoutMs: number;
  /** Maximum ms between two pieces. Default: `timeoutMs`. */
  silenceMs?: number;
}

/**
 * Yields the bytes of a response to a request for `url` as they arrive. Throws if nothing arrives for `silenceMs`, or if
 * the response breaks off; the signal's reason once it is aborted.
 */
export async function* readPieces(
  { body }: Pick<Response, "body">,
  { url, signal, timeoutMs, silenceMs = timeoutMs }: Reading,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  const failed = (why: string, cause?: unknown): ApiError =>
    new ApiError(`${serverOf(url)} broke off its answer: ${why}.`, {
      status: 0,
      code: "unreachable",
      cause,
    });
  try {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const silence = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(failed(`nothing came within ${silenceMs} ms`)), silenceMs);
      });
      const read = reader.read().catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw failed(cause instanceof Error ? cause.message : String(cause), cause);
      });
      const piece = await Promise.race([read, silence]).finally(() => clearTimeout(timer));
      if (piece.done) return;
      yield piece.value;
    }
  } finally {
    // Cancelling frees the connection for others; the result is not awaited, because a silent server may never confirm
    // it.
    void reader.cancel().catch(() => {});
  }
}
