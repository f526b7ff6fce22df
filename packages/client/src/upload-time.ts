/** Bytes of an upload, and the ms that they take over the slowest line that a server reads from. */
const pieceBytes = 65_536;
const pieceMs = 8_000;
const longestTimerMs = 2_147_483_647;

/** Time of an attempt, which grows with what is uploaded, so that what still moves is not cut. */
export interface UploadTime {
  /** Aborts when it is over. */
  signal: AbortSignal;
  /** The body, whose bytes count as they are read if it is a stream. */
  body: BodyInit | null | undefined;
  /** Length in ms, of what was read so far. */
  ms(): number;
  end(): void;
}

export function startUploadTime(given: unknown, timeoutMs: number): UploadTime {
  const over = new AbortController();
  let bytes = lengthOf(given) ?? 0;
  const ms = (): number => timeoutMs + Math.floor(bytes / pieceBytes) * pieceMs;
  let granted = 0;
  let timer: ReturnType<typeof setTimeout>;
  /** Grants the time that has not been granted yet; if there is none, it is over. */
  const grant = (): void => {
    const more = Math.min(ms() - granted, longestTimerMs);
    granted += more;
    if (more > 0) timer = setTimeout(grant, more);
    else over.abort();
  };
  grant();
  const note = (chunk: unknown): void => {
    bytes += lengthOf(chunk) ?? 0;
  };
  const body = typeof given === "object" && given !== null ? noted(given, note) : given;
  return {
    signal: over.signal,
    body: body as BodyInit | null | undefined,
    ms,
    end: () => clearTimeout(timer),
  };
}

/** Returns the bytes of what is at hand; a text's length is close enough. */
function lengthOf(body: unknown): number | undefined {
  if (typeof body === "string") return body.length;
  if (body instanceof Uint8Array) return body.byteLength;
  return typeof body === "object" && body instanceof Blob ? body.size : undefined;
}

/** Has each chunk of a stream noted as it is read. Node's `fetch` takes all that can be iterated, such as a file's stream. */
function noted(body: object, note: (chunk: unknown) => void): unknown {
  if (lengthOf(body) !== undefined) return body;
  if (body instanceof ReadableStream) return body.pipeThrough(noting(note));
  return Symbol.asyncIterator in body ? notingEach(body as AsyncIterable<unknown>, note) : body;
}

const noting = (note: (chunk: unknown) => void): TransformStream =>
  new TransformStream({
    transform(chunk, controller) {
      note(chunk);
      controller.enqueue(chunk);
    },
  });

async function* notingEach(chunks: AsyncIterable<unknown>, note: (chunk: unknown) => void) {
  for await (const chunk of chunks) {
    note(chunk);
    yield chunk;
  }
}
