// Printed by `npm run docs:routes` from the table of routes.
import type {
  EmailBouncedEvent,
  EmailCancelledEvent,
  EmailClickedEvent,
  EmailComplainedEvent,
  EmailDeliveryDelayedEvent,
  EmailFailedEvent,
  EmailOpenedEvent,
  EmailQueuedEvent,
  EmailSentEvent,
  EmailSuppressedEvent,
  EmailUnsubscribedEvent,
} from "./webhook-email-events.ts";

/** What is posted to a webhook; `event` names the type. */
export type WebhookEvent =
  | CampaignCompletedEvent
  | CampaignStartedEvent
  | DomainFailedEvent
  | DomainVerifiedEvent
  | DomainWarningEvent
  | EmailBouncedEvent
  | EmailCancelledEvent
  | EmailClickedEvent
  | EmailComplainedEvent
  | EmailDeliveryDelayedEvent
  | EmailFailedEvent
  | EmailOpenedEvent
  | EmailQueuedEvent
  | EmailSentEvent
  | EmailSuppressedEvent
  | EmailUnsubscribedEvent
  | SmtpServerDownEvent
  | SmtpServerRecoveredEvent
  | SuppressionCreatedEvent
  | WebhookTestEvent;

/** The body of `campaign.completed`. */
export interface CampaignCompletedEvent {
  /** The type of the event. */
  event: "campaign.completed";
  /** The campaign's id. */
  campaign_id: number;
  /** The campaign's name. */
  name: string;
  /** Time of the event. */
  timestamp: string;
}

/** The body of `campaign.started`. */
export interface CampaignStartedEvent {
  /** The type of the event. */
  event: "campaign.started";
  /** The campaign's id. */
  campaign_id: number;
  /** The campaign's name. */
  name: string;
  /** Time of the event. */
  timestamp: string;
}

/** The body of `domain.failed`. */
export interface DomainFailedEvent {
  /** The type of the event. */
  event: "domain.failed";
  /** The domain's id. */
  domain_id: string;
  /** The domain and its status. */
  data: {
    /** The domain. */
    name: string;
    /** The domain's status. */
    status: "failed";
    /** Reason for the status; empty if there is no problem. */
    reason: string;
  };
  /** Time of the event. */
  timestamp: string;
}

/** The body of `domain.verified`. */
export interface DomainVerifiedEvent {
  /** The type of the event. */
  event: "domain.verified";
  /** The domain's id. */
  domain_id: string;
  /** The domain and its status. */
  data: {
    /** The domain. */
    name: string;
    /** The domain's status. */
    status: "verified";
    /** Reason for the status; empty if there is no problem. */
    reason: string;
  };
  /** Time of the event. */
  timestamp: string;
}

/** The body of `domain.warning`. */
export interface DomainWarningEvent {
  /** The type of the event. */
  event: "domain.warning";
  /** The domain's id. */
  domain_id: string;
  /** The domain and its status. */
  data: {
    /** The domain. */
    name: string;
    /** The domain's status. */
    status: "warning";
    /** Reason for the status; empty if there is no problem. */
    reason: string;
  };
  /** Time of the event. */
  timestamp: string;
}

/** The body of `smtp_server.down`. */
export interface SmtpServerDownEvent {
  /** The type of the event. */
  event: "smtp_server.down";
  /** The mail server's id. */
  smtp_server_id: string;
  /** The mail server's name. */
  name: string;
  /** The server's reply, or the error. */
  reason: string;
  /** Time of the event. */
  timestamp: string;
}

/** The body of `smtp_server.recovered`. */
export interface SmtpServerRecoveredEvent {
  /** The type of the event. */
  event: "smtp_server.recovered";
  /** The mail server's id. */
  smtp_server_id: string;
  /** The mail server's name. */
  name: string;
  /** Time of the event. */
  timestamp: string;
}

/** The body of `suppression.created`. */
export interface SuppressionCreatedEvent {
  /** The type of the event. */
  event: "suppression.created";
  /** The suppression. */
  data: {
    /** The address, or `@` and a domain. */
    email: string;
    /** Scope of the suppression: `*` for everything, or the name of a list. */
    scope: string;
    /** Origin of the suppression. */
    origin: string;
    /** Reason, for people. */
    reason: string;
    /** Id of the e-mail that led to it; null for none. */
    email_id: string | null;
    /** Time of expiry; null for never. */
    expires_at: string | null;
  };
  /** Time of the event. */
  timestamp: string;
}

/** The body of `webhook.test`. */
export interface WebhookTestEvent {
  /** The type of the event. */
  event: "webhook.test";
  /** The webhook's id. */
  webhook_id: string;
  /** Time of the event. */
  timestamp: string;
}
