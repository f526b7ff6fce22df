/**
 * Every way of saying no (decisions §1), with the sentence said by default.
 * The HTTP statuses stand in `@posthorn/http`, the exit codes in the command line.
 */
export const errorMessages = {
  validation_failed: "The request is not valid.",
  workspace_required: "Name the workspace in the header X-Service-Workspace-Id.",
  owner_role_not_assignable: "The role owner can't be given; use the transfer of ownership.",
  owner_role_immutable: "The owner's role can't be changed.",
  owner_not_removable: "The workspace's owner can't be removed.",
  invitation_not_pending: "The invitation is no longer pending.",
  invitation_expired: "The invitation has expired.",
  domain_not_registrable: "This is no domain that somebody can have for their own.",
  two_factor_not_set_up: "Two-factor login has not been set up.",
  invalid_two_factor_code: "The code is not valid.",
  unauthenticated: "Credentials are missing or can't be used.",
  api_key_expired: "The API key has expired: make a new one.",
  invalid_credentials: "E-mail address or password is wrong.",
  two_factor_required: "A two-factor code is required.",
  not_a_member: "You are not a member of this workspace.",
  forbidden: "Your role does not allow this.",
  administrator_required: "Only administrators may do this.",
  email_not_verified: "Verify your e-mail address first.",
  invitation_for_another_user: "The invitation is addressed to someone else.",
  registration_closed: "Accounts are opened by the operator.",
  invitation_required: "Accounts are opened by invitation: send the token of yours.",
  content_unavailable: "What this e-mail says is sealed, or is kept no longer.",
  suppression_protected: "Only a manager may let mail through again to who complained of it.",
  plan_limit_reached: "The plan's limit is reached.",
  not_found: "There is no such thing here.",
  method_not_allowed: "This path does not know that method.",
  already_member: "This person is a member of the workspace already.",
  invitation_exists: "This address has a pending invitation already.",
  template_name_taken: "The workspace has a template of this name already.",
  stylesheet_name_taken: "The workspace has a stylesheet of this name already.",
  plan_name_taken: "There is a plan of this name already.",
  smtp_server_name_taken: "The workspace has a mail server of this name already.",
  plan_in_use: "The plan is assigned; unassign it first, or force its deletion.",
  active_version: "The active version can't be deleted; activate another first.",
  password_not_set: "This account has no password: its login is the application's that it belongs to.",
  external_id_taken: "This external id belongs to another account.",
  email_taken: "There is an account with this e-mail address already.",
  idempotency_key_reused: "This Idempotency-Key came with another request before.",
  default_plan: "The default plan can't be deleted or deactivated; make another the default first.",
  two_factor_already_enabled: "Two-factor login is enabled already.",
  owns_workspaces: "The user owns workspaces; transfer or delete them first.",
  not_retryable: "Only a failed e-mail can be tried again.",
  not_cancellable: "Only an e-mail that still waits can be cancelled or rescheduled.",
  dedupe_key_spent: "An e-mail was sent under this dedupe_key before; the log keeps it no more.",
  domain_taken: "The workspace has this domain already.",
  batch_too_large: "The batch has more recipients than the plan allows.",
  payload_too_large: "The request is too large.",
  attachment_too_large: "A file is too large.",
  message_too_large: "The files of the message are too large together.",
  unsupported_media_type: "Send the body as application/json.",
  attachment_not_found: "There is no such attachment, or it has expired: upload it again.",
  dkim_not_published: "The record of the next key is not published.",
  template_data_missing: "Placeholders of the template have no value.",
  template_render_failed: "The template can't be rendered with this data.",
  all_recipients_suppressed: "Nothing may be sent to any of the recipients.",
  limit_never_opens: "Within 30 days, the plan's limits have no room for it.",
  deadline_passed: "Its deadline would be over before it can be sent.",
  campaign_state_conflict: "The campaign is not where this is possible.",
  campaign_not_editable: "Only a campaign that was never started can be changed or deleted.",
  campaign_empty: "The campaign has no recipients.",
  sender_missing: "There is no sender: give one, or set the workspace's default sender.",
  workspace_not_trusted:
    "The operator has not vouched for this workspace yet; till then it sends only from a domain of its own, once verified.",
  domain_not_verified: "The sender's domain is not verified.",
  no_smtp_server: "There is no mail server that this mail may go through.",
  rate_limited: "Too many requests; try again later.",
  internal_error: "Something went wrong on our side.",
  unavailable: "The service is unavailable for the moment; try again soon.",
} as const satisfies Record<string, string>;

/** A stable word for a way of saying no. */
export type ErrorCode = keyof typeof errorMessages;

/** A fault of one field: `path` in the names of the interface, such as `recipients.0.email`. */
export interface FieldFault {
  /** Where the field stands in the input, with dots between, such as `recipients.0.email`. */
  path: string;
  /** What is wrong with the field, to be read after the path. */
  message: string;
  /** Why it would be refused if it came alone, where that is not `validation_failed`. */
  code?: ErrorCode;
  /** Numbers that tell of a limit. */
  details?: Record<string, unknown>;
}

export interface ServiceErrorOptions extends ErrorOptions {
  /** The sentence to say. Default: that of the code. */
  message?: string;
  /** Field faults, or numbers that tell of a limit. Part of the answer: never a secret. */
  details?: FieldFault[] | Record<string, unknown>;
  /** Faults besides those in `details`. */
  more?: number;
  /** When to try again, in seconds. */
  retryAfter?: number;
}

/** The one error that the service's calls throw on purpose. Any other is a fault of the service. */
export class ServiceError extends Error {
  override name = "ServiceError";
  /** Why, as a word that never changes its meaning. */
  readonly code: ErrorCode;
  /** The faults of fields for `validation_failed`, or what a limit is and how much of it is used. */
  readonly details: FieldFault[] | Record<string, unknown> | undefined;
  /** Faults besides those in `details`. */
  readonly more: number | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;

  /** An error by its code; the message is the code's, unless the options have another. */
  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    super(options.message ?? errorMessages[code], options);
    this.code = code;
    this.details = options.details;
    this.more = options.more;
    this.retryAfter = options.retryAfter;
  }
}

/** A validation fault of one field. */
export function fieldError(path: string, message: string): ServiceError {
  return new ServiceError("validation_failed", {
    message: `${path}: ${message}`,
    details: [{ path, message }],
  });
}
