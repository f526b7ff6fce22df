import type { ErrorCode, ServiceError } from "@posthorn/core";
import type { Failure } from "./exit-codes.ts";

/** A failure to tell: what happened and why, and what to try next. */
export class CliError extends Error {
  override name = "CliError";
  readonly failure: Failure;
  readonly hint: string | undefined;
  readonly code: string;
  constructor(failure: Failure, message: string, hint?: string, options?: ErrorOptions & { code?: string }) {
    super(message, options);
    this.failure = failure;
    this.hint = hint;
    this.code = options?.code ?? failure;
  }
}

const failures: Partial<Record<ErrorCode, Failure>> = {
  validation_failed: "usage",
  workspace_required: "usage",
  not_found: "not_found",
  forbidden: "not_allowed",
  not_a_member: "not_allowed",
  administrator_required: "not_allowed",
  unauthenticated: "not_allowed",
  email_not_verified: "not_allowed",
  registration_closed: "not_allowed",
  invitation_required: "not_allowed",
  workspace_not_trusted: "not_allowed",
  owner_role_not_assignable: "not_allowed",
  owner_role_immutable: "not_allowed",
  owner_not_removable: "not_allowed",
  already_member: "conflict",
  invitation_exists: "conflict",
  template_name_taken: "conflict",
  stylesheet_name_taken: "conflict",
  plan_name_taken: "conflict",
  plan_in_use: "conflict",
  active_version: "conflict",
  email_taken: "conflict",
  idempotency_key_reused: "conflict",
  default_plan: "conflict",
  two_factor_already_enabled: "conflict",
  two_factor_not_set_up: "conflict",
  owns_workspaces: "conflict",
  not_retryable: "conflict",
  not_cancellable: "conflict",
  plan_limit_reached: "limit",
  rate_limited: "limit",
  batch_too_large: "limit",
  payload_too_large: "limit",
  attachment_too_large: "limit",
  unavailable: "unavailable",
};

// Known by their names: loading core for its classes would make every --help wait.
const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && error.name === "ServiceError" && "code" in error;

/** Any error as one to tell. */
export function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (isServiceError(error)) {
    return new CliError(failures[error.code] ?? "failed", error.message, undefined, {
      cause: error,
      code: error.code,
    });
  }
  if (error instanceof Error && error.name === "StorageUnavailable") {
    return new CliError(
      "unavailable",
      `The database is unavailable: ${error.message}.`,
      "Try: posthorn doctor",
      { cause: error },
    );
  }
  const message = error instanceof Error ? error.message : String(error);
  return new CliError("failed", message, "Run the command again with --debug to see where.", {
    cause: error,
  });
}
