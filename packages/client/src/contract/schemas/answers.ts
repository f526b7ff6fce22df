// Printed by `npm run docs:routes` from the table of routes.

/** `Refusal` of the API. */
export interface Refusal {
  /** Whether the call succeeded. */
  success: false;
  /** The refusal. */
  error: {
    /** Stable error code. */
    code:
      | "validation_failed"
      | "workspace_required"
      | "owner_role_not_assignable"
      | "owner_role_immutable"
      | "owner_not_removable"
      | "invitation_not_pending"
      | "invitation_expired"
      | "domain_not_registrable"
      | "two_factor_not_set_up"
      | "invalid_two_factor_code"
      | "unauthenticated"
      | "api_key_expired"
      | "invalid_credentials"
      | "two_factor_required"
      | "not_a_member"
      | "forbidden"
      | "administrator_required"
      | "email_not_verified"
      | "invitation_for_another_user"
      | "registration_closed"
      | "invitation_required"
      | "content_unavailable"
      | "suppression_protected"
      | "plan_limit_reached"
      | "not_found"
      | "method_not_allowed"
      | "already_member"
      | "invitation_exists"
      | "template_name_taken"
      | "stylesheet_name_taken"
      | "plan_name_taken"
      | "smtp_server_name_taken"
      | "plan_in_use"
      | "active_version"
      | "password_not_set"
      | "external_id_taken"
      | "email_taken"
      | "idempotency_key_reused"
      | "default_plan"
      | "two_factor_already_enabled"
      | "owns_workspaces"
      | "not_retryable"
      | "not_cancellable"
      | "webhook_disabled"
      | "dedupe_key_spent"
      | "domain_taken"
      | "batch_too_large"
      | "payload_too_large"
      | "attachment_too_large"
      | "message_too_large"
      | "unsupported_media_type"
      | "attachment_not_found"
      | "dkim_not_published"
      | "template_data_missing"
      | "template_render_failed"
      | "all_recipients_suppressed"
      | "limit_never_opens"
      | "deadline_passed"
      | "campaign_state_conflict"
      | "campaign_not_editable"
      | "campaign_empty"
      | "sender_missing"
      | "workspace_not_trusted"
      | "domain_not_verified"
      | "no_smtp_server"
      | "rate_limited"
      | "internal_error"
      | "unavailable";
    /** The error, for people. */
    message: string;
    /** The invalid fields, or the limit that was reached. */
    details?:
      | {
          /** Path of the field, such as `to.0`. */
          path: string;
          /** The error, for people. */
          message: string;
          /** Stable error code. */
          code?: string | undefined;
          /** The invalid fields, or the limit that was reached. */
          details?: Record<string, unknown> | undefined;
        }[]
      | Record<string, unknown>
      | undefined;
    /** Number of faults beyond those in `details`. */
    more?: number | undefined;
  };
  /** Id of the request, as in the header `X-Request-Id`. */
  request_id: string;
}

/** `Message` of the API. */
export interface Message {
  /** Description of what happened, for people. */
  message: string;
}

/** `Pagination` of the API. */
export interface Pagination {
  /** Number of the page. */
  page: number;
  /** Number of items on a page; 1 to 100. */
  size: number;
  /** Number of items on all pages. */
  total: number;
  /** Number of pages. */
  total_pages: number;
  /** Asks for what follows, as `after` in place of `page`; null where nothing does. */
  after: string | null;
}
