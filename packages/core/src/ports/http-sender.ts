/** One outgoing request. */
export interface HttpPost {
  /** Default POST. A GET has an empty body. */
  method?: "POST" | "GET";
  /** The absolute address, `https:` or, where that is allowed, `http:`. */
  url: string;
  /** Header fields by name. */
  headers: Record<string, string>;
  /** The body as UTF-8. */
  body: string;
  /** The whole attempt ends within this many milliseconds. */
  timeoutMs: number;
  /** Whether plain HTTP and private targets are allowed (`SERVICE_WEBHOOK_ALLOW_PRIVATE`). */
  allowPrivate: boolean;
}

/** What came back. Faults are values. */
export type HttpPostResult =
  | {
      kind: "response";
      status: number;
      /** At most 4 KiB, hostile. */
      body: string;
      /** Seconds, from a number or an HTTP date. */
      retryAfter?: number;
      durationMs: number;
    }
  | {
      kind: "fault";
      /** A class of fault, never the system's own text: that would tell of the inner network. */
      fault:
        | "blocked_address"
        | "dns"
        | "connect"
        | "tls"
        | "timeout"
        | "reset"
        | "too_large"
        | "invalid_url"
        /** This process lacks descriptors or memory: whoever was to be reached has no part in it. */
        | "exhausted"
        | "other";
      durationMs: number;
    };

/** The only way out over HTTP: guards the address at connection time, follows no redirect, never decompresses. */
export interface HttpSender {
  /** Sends the request and reads what comes back. Never rejects: faults are values. */
  post(request: HttpPost): Promise<HttpPostResult>;
  /** Ends connections that are kept. */
  close(): Promise<void>;
}
