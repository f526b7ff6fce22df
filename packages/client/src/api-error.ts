import type { Refusal } from "./contract/schemas.ts";

/** Code of a refusal by the service. */
export type ApiErrorCode = Refusal["error"]["code"];

/** A faulty field of a request. */
export interface ApiFieldFault {
  /** Path of the field, such as `to.0`. */
  path: string;
  /** The fault, to be read after the path. */
  message: string;
}

/** Properties of a failure. */
export interface ApiErrorOptions {
  /** HTTP status of the response; 0 if there was none. */
  status: number;
  /** The service's code, if the response came from the service. */
  code?: ApiErrorCode | "unreachable" | undefined;
  /** Further details from the service. */
  details?: unknown;
  /** The id of the request in the server's log. */
  requestId?: string;
  /** Seconds after which a retry makes sense. */
  retryAfter?: number | undefined;
  /** The underlying error. */
  cause?: unknown;
}

/** A refusal by the service, or a failure to reach it. */
export class ApiError extends Error {
  override name = "ApiError";
  /** HTTP status of the response; 0 if there was none. */
  readonly status: number;
  /**
   * Reason of the refusal as a stable code; `unreachable` if no response came; empty if the response did not come from
   * the service.
   */
  readonly code: ApiErrorCode | "unreachable" | "";
  /** Further details from the service: faulty fields, or a limit. */
  readonly details: unknown;
  /** The id of the request in the server's log. */
  readonly requestId: string;
  /** Seconds after which a retry makes sense, if the service gave them. */
  readonly retryAfter: number | undefined;
  /** Makes an error from a message and its properties. */
  constructor(message: string, { status, code, details, requestId, retryAfter, cause }: ApiErrorOptions) {
    super(message, cause === undefined ? {} : { cause });
    this.status = status;
    this.code = code ?? "";
    this.details = details;
    this.requestId = requestId ?? "";
    this.retryAfter = retryAfter;
  }
  /** Faulty fields of a request refused as `validation_failed`. */
  get fields(): readonly ApiFieldFault[] {
    return Array.isArray(this.details) ? this.details : [];
  }
}
