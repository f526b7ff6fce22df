import type { Refusal } from "./contract/schemas.ts";

/** A word of the service for why it refused. */
export type ApiErrorCode = Refusal["error"]["code"];

/** A field that is faulty, by its path in the request. */
export interface ApiFieldFault {
  /** Such as `to.0`. */
  path: string;
  /** What is wrong with it, to be read after the path. */
  message: string;
}

/** What is known of a failure. */
export interface ApiErrorOptions {
  /** The status of the answer; 0 where there was none. */
  status: number;
  /** The service's word for it, if the answer was the service's own. */
  code?: ApiErrorCode | "unreachable" | undefined;
  /** What the service said of it besides. */
  details?: unknown;
  /** The id of the request, to find it in the server's log by. */
  requestId?: string;
  /** Seconds after which it makes sense to ask again. */
  retryAfter?: number | undefined;
  /** What lies behind it. */
  cause?: unknown;
}

/** A refusal of the service, or that it can't be reached. */
export class ApiError extends Error {
  override name = "ApiError";
  /** The status of the answer; 0 where there was none. */
  readonly status: number;
  /** Why it was refused, as a stable word; `unreachable` where no answer came; empty where it was none of the service's. */
  readonly code: ApiErrorCode | "unreachable" | "";
  /** What the service said of it besides: faulty fields, or a limit. */
  readonly details: unknown;
  /** The id of the request, to find it in the server's log by. */
  readonly requestId: string;
  /** Seconds after which it makes sense to ask again, where the service said so. */
  readonly retryAfter: number | undefined;
  /** An error in words, with what is known of it. */
  constructor(message: string, { status, code, details, requestId, retryAfter, cause }: ApiErrorOptions) {
    super(message, cause === undefined ? {} : { cause });
    this.status = status;
    this.code = code ?? "";
    this.details = details;
    this.requestId = requestId ?? "";
    this.retryAfter = retryAfter;
  }
  /** The faulty fields of a request that was refused as `validation_failed`. */
  get fields(): readonly ApiFieldFault[] {
    return Array.isArray(this.details) ? this.details : [];
  }
}
