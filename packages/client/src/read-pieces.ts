import { ApiError } from "./api-error.ts";

/** The bytes of an answer as they come in. Throws where nothing more came for `timeoutMs`, or the answer broke off. */
export async function* readPieces(
  { body, url }: Pick<Response, "body" | "url">,
  timeoutMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  const failed = (why: string, cause?: unknown): ApiError =>
    new ApiError(`The answer of ${new URL(url).origin} broke off: ${why}.`, {
      ...{ status: 0, code: "unreachable", cause },
    });
  try {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const silence = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(failed(`nothing came within ${timeoutMs} ms`)), timeoutMs);
      });
      const read = reader.read().catch((cause: unknown) => {
        throw failed(cause instanceof Error ? cause.message : String(cause), cause);
      });
      const piece = await Promise.race([read, silence]).finally(() => clearTimeout(timer));
      if (piece.done) return;
      yield piece.value;
    }
  } finally {
    // Whoever takes no more of it leaves the connection free; one that is silent may never say that it ended.
    void reader.cancel().catch(() => {});
  }
}
