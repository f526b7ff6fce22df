import type { HostLogin } from "@posthorn/core";

/** A request, whatever server it came through. */
export interface WireRequest {
  method: string;
  /** Path and query as in the request line, without the prefix the service is mounted under. */
  target: string;
  /** By lower-case name. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether `Authorization` came more than once. */
  repeatedAuthorization: boolean;
  /** Whether `Idempotency-Key` came more than once, where the server can tell. */
  repeatedIdempotencyKey?: boolean;
  /** The client's address, by the server's own judgement of proxies. */
  ip: string;
  /**
   * Asks the host whether its own login let the caller in; absent where it has none. Throws `forbidden` for what another site has a
   * browser send, `unavailable` where the host takes too long.
   */
  askHost?: (() => Promise<HostLogin | undefined>) | undefined;
  /** The body's bytes, empty for none. Throws `payload_too_large` above `maxBytes`. */
  readBody(maxBytes: number): Promise<Uint8Array>;
  /** The same as it comes in, whatever its size; to be read once. */
  openBody(): AsyncIterable<Uint8Array>;
}

/** An answer, for whatever server writes it. */
export interface WireReply {
  status: number;
  headers: Record<string, string>;
  /** Bytes are shared between answers, and never changed. */
  body: string | Uint8Array<ArrayBuffer>;
  /** In place of `body`: writes as long as the reader stays. */
  stream?: (sink: StreamSink) => void;
  /** In place of `body`: bytes that are read as they are taken. Where reading fails, the answer breaks off. */
  chunks?: AsyncIterable<Uint8Array>;
  /** Whether only the headers are written, as for HEAD. */
  headOnly?: boolean;
  /** Whether no route of ours has this path, so that a host may look further. */
  unrouted?: true;
}

/** The reader's end of a stream. */
export interface StreamSink {
  /** Whether there is room for more; where not, wait for `drained`. */
  write(text: string): boolean;
  /** Resolves once there is room again, or the reader has gone. */
  drained(): Promise<void>;
  /** Bytes written and not yet taken. */
  pending(): number;
  /** Ends in order; what was written still goes out. */
  end(): void;
  /** Cuts off at once. */
  destroy(): void;
  /** Aborted when the reader has gone, or was ended. */
  signal: AbortSignal;
}

/** One value of a header; `undefined` where it is absent or came more than once. */
export function headerOf(request: WireRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}
