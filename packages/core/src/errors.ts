import { errorKind, hasInstance } from "./ports/error-kind.ts";

/**
 * Default messages of all error codes (decisions §1). Their HTTP statuses are in `@posthorn/http`, their exit codes in
 * the command line.
 */
export const errorMessages = {
  validation_failed: "The request is not valid.",
  workspace_required: "The header X-Service-Workspace-Id must hold the workspace's number, such as 1.",
  owner_role_not_assignable: "The role owner can't be given; use the transfer of ownership.",
  owner_role_immutable: "The owner's role can't be changed.",
  owner_not_removable: "The workspace's owner can't be removed.",
  invitation_not_pending: "The invitation is no longer pending.",
  invitation_expired: "The invitation has expired.",
  domain_not_registrable: "The name is not a domain that can be registered.",
  two_factor_not_set_up: "Two-factor login has not been set up.",
  invalid_two_factor_code: "The code is wrong, too old, or was used before: take the next one.",
  unauthenticated:
    "Credentials are missing or not valid: send the header Authorization: Bearer, then an API key or a login's token.",
  api_key_expired: "The API key has expired; create a new one.",
  invalid_credentials: "The e-mail address or the password is wrong.",
  two_factor_required: "A two-factor code is required.",
  not_a_member: "You are not a member of this workspace.",
  forbidden: "Your role does not allow this.",
  administrator_required: "Only administrators may do this.",
  email_not_verified: "Verify your e-mail address first.",
  invitation_for_another_user: "The invitation is addressed to someone else.",
  registration_closed: "Only the operator can create accounts.",
  invitation_required: "An account requires an invitation: send its token.",
  content_unavailable: "The content of this e-mail is encrypted, or was removed.",
  suppression_protected: "Only a manager may delete a suppression that a complaint caused.",
  plan_limit_reached: "The plan's limit is reached.",
  not_found: "The requested resource does not exist.",
  method_not_allowed: "The path does not support this method.",
  already_member: "This person is a member of the workspace already.",
  invitation_exists: "This address has a pending invitation already.",
  template_name_taken: "The workspace has a template of this name already.",
  stylesheet_name_taken: "The workspace has a stylesheet of this name already.",
  plan_name_taken: "There is a plan of this name already.",
  smtp_server_name_taken: "The workspace has a mail server of this name already.",
  plan_in_use: "The plan is assigned; unassign it first, or force its deletion.",
  active_version: "The active version can't be deleted; activate another first.",
  password_not_set: "This account has no password: the application authenticates its user.",
  external_id_taken: "This external id belongs to another account.",
  email_taken: "There is an account with this e-mail address already.",
  idempotency_key_reused: "This Idempotency-Key was used with a different request.",
  default_plan: "The default plan can't be deleted or deactivated; make another the default first.",
  two_factor_already_enabled: "Two-factor login is enabled already.",
  owns_workspaces: "The user owns workspaces; transfer or delete them first.",
  not_retryable: "Only a failed e-mail can be retried.",
  not_cancellable: "Only a waiting e-mail can be cancelled or rescheduled.",
  webhook_disabled: "The webhook is disabled: nothing is posted to it.",
  dedupe_key_spent: "An e-mail with this dedupe_key was sent before; the log no longer has it.",
  domain_taken: "The workspace has this domain already.",
  batch_too_large: "The batch has more recipients than the plan allows.",
  payload_too_large: "The request is too large.",
  attachment_too_large: "A file is too large.",
  message_too_large: "The message's files exceed the maximum total size.",
  unsupported_media_type: "Send the body as application/json.",
  attachment_not_found: "There is no such attachment, or it has expired: upload it again.",
  dkim_not_published: "The record of the next key is not published.",
  template_data_missing: "Placeholders of the template have no value.",
  template_render_failed: "The template can't be rendered with this data.",
  all_recipients_suppressed: "All recipients are suppressed.",
  limit_never_opens: "The plan's limits leave no room for it within 30 days, or before its deadline.",
  deadline_passed: "The deadline would pass before it can be sent.",
  campaign_state_conflict: "The campaign's status does not allow this.",
  campaign_not_editable: "Only a draft or a scheduled campaign can be changed, and only a draft deleted.",
  campaign_empty: "The campaign has no recipients.",
  sender_missing: "There is no sender: give one as `from`, or set the workspace's default sender.",
  workspace_not_trusted:
    "The operator has not vouched for this workspace yet; until then it can send only from a verified domain of its own, or through a mail server of its own that it logs in to.",
  domain_not_verified: "The sender's domain is not verified.",
  no_smtp_server: "No mail server is available for this mail.",
  rate_limited: "Too many requests; try again later.",
  internal_error: "Something went wrong on our side.",
  unavailable: "The service is unavailable for the moment; try again soon.",
} as const satisfies Record<string, string>;

/** A stable code of an error. */
export type ErrorCode = keyof typeof errorMessages;

/** A fault of one field. `path` uses the API's names, such as `recipients.0.email`. */
export interface FieldFault {
  /** Path of the field in the input, separated by dots, such as `recipients.0.email`. */
  path: string;
  /** What is wrong with the field, as words that follow the path. */
  message: string;
  /** The code that a request with this item alone would be refused with, if it is not `validation_failed`. */
  code?: ErrorCode;
  /** The numbers of a limit. */
  details?: Record<string, unknown>;
}

/** The limit that a call exceeded. */
export interface RateLimit {
  /** What is limited, such as `hourly_rate_limit` or `passwords:account`. */
  name: string;
  /** Most calls, or recipients, in a window. */
  limit: number;
  /** How many are left in the present window. */
  remaining: number;
  /** Length of the window, in seconds. */
  windowSeconds: number;
}

export interface ServiceErrorOptions extends ErrorOptions {
  /** The message. Default: that of the code. */
  message?: string | undefined;
  /** Faults of fields, or the numbers of a limit. They are part of the response, so they must not contain secrets. */
  details?: FieldFault[] | Record<string, unknown> | undefined;
  /** Number of further faults that are not in `details`. */
  more?: number | undefined;
  /** Seconds until the call may be repeated. */
  retryAfter?: number | undefined;
  /** The limit that the call exceeded. */
  rateLimit?: RateLimit | undefined;
  /** The scheme by which to log in over HTTP. Default: Bearer. */
  scheme?: "Basic" | undefined;
}

/** The error that calls of the service throw deliberately. Any other error is a fault of the service. */
export class ServiceError extends Error {
  override name = "ServiceError";
  get [errorKind](): string {
    return "ServiceError";
  }
  static override [Symbol.hasInstance] = hasInstance;
  /** The stable code. */
  readonly code: ErrorCode;
  /** The faults of fields for `validation_failed`, or the numbers of a limit. */
  readonly details: FieldFault[] | Record<string, unknown> | undefined;
  /** Number of further faults that are not in `details`. */
  readonly more: number | undefined;
  /** Seconds until the call may be repeated. */
  readonly retryAfter: number | undefined;
  /** The limit that the call exceeded. */
  readonly rateLimit: RateLimit | undefined;
  /** The scheme by which to log in over HTTP, if it is not Bearer. */
  readonly scheme: "Basic" | undefined;

  /** Creates an error with a code. The message is the code's default, unless the options contain another. */
  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    super(options.message ?? errorMessages[code], options);
    this.code = code;
    this.details = options.details;
    this.more = options.more;
    this.retryAfter = options.retryAfter;
    this.rateLimit = options.rateLimit;
    this.scheme = options.scheme;
  }
}

/** Creates a validation error for one field, or for the whole input if the path is empty. */
export function fieldError(path: string, message: string): ServiceError {
  return new ServiceError("validation_failed", {
    message: path === "" ? `The input ${message}.` : `${path}: ${message}`,
    details: [{ path, message }],
  });
}
