import type { HostLogin } from "@posthorn/core";

/** A request, independent of the server that received it. */
export interface WireRequest {
  method: string;
  /** Path and query of the request line, without the prefix under which the service is mounted. */
  target: string;
  /** Header values by lower-case name. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whether `Authorization` was sent more than once. */
  repeatedAuthorization: boolean;
  /** Whether `Idempotency-Key` was sent more than once, if the server can tell. */
  repeatedIdempotencyKey?: boolean;
  /** What is wrong with `Host`, or with how often it was sent, if the server can tell. */
  hostFault?: "is given more than once" | "is missing" | "is not a host" | undefined;
  /** The client's address, after the server evaluated its proxies. */
  ip: string;
  /**
   * Asks the host whether its own login identifies the caller; absent if the host has none. Throws `forbidden` for a
   * request forged by another site (CSRF), `unavailable` if the host takes too long.
   */
  askHost?: (() => Promise<HostLogin | undefined>) | undefined;
  /** Whether the caller has left, so that an answer would reach nobody. */
  hasLeft?: (() => boolean) | undefined;
  /** Reads the body, at once if it is there; empty for none. Throws `payload_too_large` above `maxBytes`. */
  readBody(maxBytes: number): Promise<Uint8Array> | Uint8Array;
  /** The body as a stream, whatever its size. It can be read once. */
  openBody(): AsyncIterable<Uint8Array>;
}

/** A response, independent of the server that writes it. */
export interface WireReply {
  status: number;
  headers: Record<string, string>;
  /** Body. The bytes may be shared between responses, and must not be changed. */
  body: string | Uint8Array<ArrayBuffer>;
  /** Replaces `body`: writes for as long as the reader stays connected. */
  stream?: (sink: StreamSink) => void;
  /**
   * Replaces `body`: chunks that are read as the reader takes them. If reading fails, the response breaks off. Where they
   * take long, empty ones come between: only there it is noticed that the reader has left.
   */
  chunks?: AsyncIterable<Uint8Array>;
  /** Whether only the headers are sent, as for HEAD. */
  headOnly?: boolean;
  /** Whether no route has this path, or a page has it with other methods, so that a host may handle it. */
  unrouted?: true;
  /** Message of the error that it tells, if it tells one. */
  refusal?: string;
}

/** Writer's end of a stream. */
export interface StreamSink {
  /**
   * Writes text, or bytes, which may be shared between streams and must not be changed. Returns false if the buffer is
   * full: then wait for `drained`.
   */
  write(data: string | Uint8Array): boolean;
  /** Resolves when there is room again, or the reader has disconnected. */
  drained(): Promise<void>;
  /** Number of bytes written and not yet taken by the reader. */
  pending(): number;
  /** Ends the stream after all written data is sent. */
  end(): void;
  /** Closes the connection at once. */
  destroy(): void;
  /** Aborted when the reader disconnected or the stream ended. */
  signal: AbortSignal;
}

/** Returns the value of a header; `undefined` if it is absent or was sent more than once. */
export function headerOf(request: WireRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}
