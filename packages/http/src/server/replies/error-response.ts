import { type ErrorCode, fieldError, ServiceError, StorageUnavailable } from "@posthorn/core";
import { JsonError } from "@posthorn/core/internal";
import { newRequestId } from "../requests/request-id.ts";

/** Status of each error code (decisions §1); a route may override it. */
export const errorStatuses: Record<ErrorCode, number> = {
  validation_failed: 400,
  workspace_required: 400,
  owner_role_not_assignable: 400,
  owner_role_immutable: 400,
  owner_not_removable: 400,
  invitation_not_pending: 400,
  invitation_expired: 400,
  domain_not_registrable: 400,
  two_factor_not_set_up: 400,
  invalid_two_factor_code: 400,
  unauthenticated: 401,
  api_key_expired: 401,
  invalid_credentials: 401,
  two_factor_required: 401,
  not_a_member: 403,
  forbidden: 403,
  administrator_required: 403,
  email_not_verified: 403,
  invitation_for_another_user: 403,
  registration_closed: 403,
  invitation_required: 403,
  content_unavailable: 404,
  suppression_protected: 403,
  plan_limit_reached: 403,
  not_found: 404,
  method_not_allowed: 405,
  already_member: 409,
  invitation_exists: 409,
  template_name_taken: 409,
  stylesheet_name_taken: 409,
  plan_name_taken: 409,
  smtp_server_name_taken: 409,
  plan_in_use: 409,
  active_version: 409,
  password_not_set: 409,
  external_id_taken: 409,
  email_taken: 409,
  idempotency_key_reused: 409,
  default_plan: 409,
  two_factor_already_enabled: 409,
  owns_workspaces: 409,
  not_retryable: 409,
  webhook_disabled: 409,
  not_cancellable: 409,
  domain_taken: 409,
  dedupe_key_spent: 409,
  payload_too_large: 413,
  attachment_too_large: 413,
  message_too_large: 413,
  unsupported_media_type: 415,
  batch_too_large: 422,
  attachment_not_found: 422,
  dkim_not_published: 422,
  template_data_missing: 422,
  template_render_failed: 422,
  all_recipients_suppressed: 422,
  limit_never_opens: 422,
  deadline_passed: 422,
  campaign_state_conflict: 409,
  campaign_not_editable: 409,
  campaign_empty: 422,
  sender_missing: 422,
  workspace_not_trusted: 422,
  domain_not_verified: 422,
  no_smtp_server: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
};

/** Converts any error to a ServiceError; `internal_error` for unexpected ones. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof JsonError) {
    const { message, path } = error;
    return path === ""
      ? new ServiceError("validation_failed", { message, cause: error })
      : fieldError(path, message);
  }
  if (error instanceof StorageUnavailable) {
    return new ServiceError("unavailable", { retryAfter: 1, cause: error });
  }
  return new ServiceError("internal_error", { cause: error });
}

/** A response to an error. */
export interface ErrorResponse {
  /** The HTTP status. */
  status: number;
  /** Headers, by lower-case name. */
  headers: Record<string, string>;
  /** The body, to be sent as JSON. */
  body: ErrorBody;
}

/** The body of a response to an error. */
export interface ErrorBody {
  /** What tells it from an answer. */
  success: false;
  /** What was refused, and why; `more` counts the faults that `details` leaves out. */
  error: { code: ErrorCode; message: string; details?: unknown; more?: number };
  /** The same as in the header `X-Request-Id`. */
  request_id: string;
}

/**
 * Returns the API's response to an error of a call, for routes of the host's own: the status of its code, headers such
 * as `Retry-After`, and the body for `send` or `json` of the host's framework. `undefined` for an error that is not the
 * service's: the host answers it.
 */
export function errorResponse(error: unknown): ErrorResponse | undefined {
  if (!(error instanceof ServiceError || error instanceof StorageUnavailable)) return undefined;
  return describeError(toServiceError(error), newRequestId(), {});
}

/** Creates the reply for an error, without stack traces or messages of other libraries; its body is JSON as text. */
export function errorReply(
  error: ServiceError,
  requestId: string,
  statuses: Partial<Record<ErrorCode, number>> = {},
): Omit<ErrorResponse, "body"> & { body: string; refusal: string } {
  const { body, ...rest } = describeError(error, requestId, statuses);
  return { ...rest, body: JSON.stringify(body), refusal: error.message };
}

function describeError(
  error: ServiceError,
  requestId: string,
  statuses: Partial<Record<ErrorCode, number>>,
): ErrorResponse {
  const { code, message, details, more } = error;
  const status = statuses[code] ?? errorStatuses[code];
  const said = {
    code,
    message,
    ...(details === undefined ? {} : { details }),
    ...(more === undefined ? {} : { more }),
  };
  return {
    status,
    headers: { ...jsonHeaders(requestId), ...hintHeaders(error, status) },
    body: { success: false, error: said, request_id: requestId },
  };
}

/** Headers of every response of the API. */
export function jsonHeaders(requestId: string): Record<string, string> {
  return {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-request-id": requestId,
  };
}

/** Values of `WWW-Authenticate` (RFC 6750, RFC 7617). */
const challenges = { Bearer: "Bearer", Basic: 'Basic realm="Posthorn"' } as const;

function hintHeaders(error: ServiceError, status: number): Record<string, string> {
  const headers: Record<string, string> = {};
  if (status === 401) headers["www-authenticate"] = challenges[error.scheme ?? "Bearer"];
  const retryAfter = error.retryAfter ?? (status === 503 ? 1 : undefined);
  if (retryAfter !== undefined) headers["retry-after"] = String(Math.max(1, Math.ceil(retryAfter)));
  return status === 429 ? { ...headers, ...rateLimitHeaders(error) } : headers;
}

/** Returns `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers) where a limit was exceeded. */
function rateLimitHeaders({ rateLimit, retryAfter = 1 }: ServiceError): Record<string, string> {
  if (rateLimit === undefined) return {};
  const { name, limit, remaining, windowSeconds } = rateLimit;
  return {
    "ratelimit-policy": `"${name}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${name}";r=${remaining};t=${Math.max(1, Math.ceil(retryAfter))}`,
  };
}
