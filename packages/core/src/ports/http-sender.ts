/** An outgoing HTTP request. */
export interface HttpPost {
  /** Default `POST`. A `GET` has an empty body. */
  method?: "POST" | "GET";
  /** The absolute URL, `https:` or, if allowed, `http:`. */
  url: string;
  /** Headers by name. */
  headers: Record<string, string>;
  /** The body as UTF-8. */
  body: string;
  /**
   * Time limit of the whole attempt in ms, name resolution and connection included. A request without an answer 5 s
   * later is given up, and counts as timed out.
   */
  timeoutMs: number;
  /** Whether plain HTTP and private targets are allowed (`SERVICE_WEBHOOK_ALLOW_PRIVATE`). */
  allowPrivate: boolean;
}

/** The response, or the fault as a value. */
export type HttpPostResult =
  | {
      kind: "response";
      status: number;
      /** Beginning of the response's body, at most 4 KiB. Untrusted text. */
      body: string;
      /** The header `Retry-After` in seconds, from a number or an HTTP date. */
      retryAfter?: number;
      durationMs: number;
    }
  | {
      kind: "fault";
      /** A class of fault, never the system's own message, which would reveal the internal network. */
      fault:
        | "blocked_address"
        | "dns"
        | "connect"
        | "tls"
        | "timeout"
        | "reset"
        | "too_large"
        | "invalid_url"
        /** This process lacks file descriptors or memory; the target is not at fault. */
        | "exhausted"
        | "other";
      /** Code of what TLS objected to, such as `CERT_HAS_EXPIRED`. */
      code?: string;
      durationMs: number;
    };

/**
 * Sends all outgoing HTTP requests. It checks the address at connection time, follows no redirect, and never
 * decompresses.
 */
export interface HttpSender {
  /** Sends the request and reads the response. Never rejects: faults are values. */
  post(request: HttpPost): Promise<HttpPostResult>;
  /** Closes connections that are kept open. */
  close(): Promise<void>;
}
