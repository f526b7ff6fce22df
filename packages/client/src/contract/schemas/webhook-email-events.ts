// Printed by `npm run docs:routes` from the table of routes.
/** The body of `email.bounced`. */
export interface EmailBouncedEvent {
  /** The type of the event. */
  event: "email.bounced";
  /** The e-mail's id. */
  email_id: string;
  /** The e-mail, and what happened to it. */
  data: {
    /** The rendered subject; empty for a sensitive e-mail. */
    subject: string;
    /** The e-mail's tags. */
    tags: string[];
    /** The e-mail's metadata. */
    metadata: Record<string, unknown>;
    /** The recipient's address. */
    recipient: string;
    /** What the refusal is about. */
    class: "hard" | "soft" | "block" | "setting" | "undetermined";
    /** Its cause. */
    category:
      | "invalid_recipient"
      | "bad_domain"
      | "inactive_mailbox"
      | "mailbox_full"
      | "greylisted"
      | "rate_limited"
      | "transient"
      | "dns"
      | "network"
      | "reputation"
      | "authentication"
      | "policy"
      | "spam"
      | "content"
      | "attachment"
      | "too_large"
      | "relay_denied"
      | "not_authorised"
      | "auth"
      | "other";
    /** The mail server's own text: untrusted. */
    reply: string;
    /** What told of it: a reply, a message, or a relay's webhook. */
    source: "smtp" | "dsn" | "provider";
  };
  /** Time of the event. */
  timestamp: string;
}

/** The body of `email.cancelled`. */
export interface EmailCancelledEvent {
  /** The type of the event. */
  event: "email.cancelled";
  /** The e-mail's id. */
  email_id: string;
  /** The e-mail, and what happened to it. */
  data: {
    /** The rendered subject; empty for a sensitive e-mail. */
    subject: string;
    /** The e-mail's tags. */
    tags: string[];
    /** The e-mail's metadata. */
    metadata: Record<string, unknown>;
  };
  /** Time of the event. */
  timestamp: string;
}

/** The body of `email.clicked`. */
export interface EmailClickedEvent {
  /** The type of the event. */
  event: "email.clicked";
  /** The e-mail's id. */
  email_id: string;
  /** The e-mail, and what happened to it. */
  data: {
    /** The rendered subject; empty for a sensitive e-mail. */
    subject: string;
    /** The e-mail's tags. */
    tags: string[];
    /** The e-mail's metadata. */
    metadata: Record<string, unknown>;
    /** The recipient's address. */
    recipient?: string | undefined;
    /** The link; missing once the recipient was erased. */
    url?: string | undefined;
    /** The kind of program. */
    agent_class: "browser" | "mail_program" | "image_proxy" | "machine" | "unknown";
  };
  /** Time of the event. */
  timestamp: string;
}

/** The body of `email.complained`. */
export interface EmailComplainedEvent {
  /** The type of the event. */
  event: "email.complained";
  /** The e-mail's id. */
  email_id: string;
  /** The e-mail, and what happened to it. */
  data: {
    /** The rendered subject; empty for a sensitive e-mail. */
    subject: string;
    /** The e-mail's tags. */
    tags: string[];
    /** The e-mail's metadata. */
    metadata: Record<string, unknown>;
    /** The recipient's address. */
    recipient: string;
    /** Always `complaint`. */
    class: "complaint";
    /** The complaint's type, mostly `abuse`. */
    category: string;
    /** The mail server's own text: untrusted. */
    reply: string;
    /** What told of it: a reply, a message, or a relay's webhook. */
    source: "smtp" | "dsn" | "provider";
  };
  /** Time of the event. */
  timestamp: string;
}

/** The body of `email.delivery_delayed`. */
export interface EmailDeliveryDelayedEvent {
  /** The type of the event. */
  event: "email.delivery_delayed";
  /** The e-mail's id. */
  email_id: string;
  /** The e-mail, and what happened to it. */
  data: {
    /** The rendered subject; empty for a sensitive e-mail. */
    subject: string;
    /** The e-mail's tags. */
    tags: string[];
    /** The e-mail's metadata. */
    metadata: Record<string, unknown>;
    /** Number of the attempt; missing if a report came back. */
    attempt?: number | undefined;
    /** Whom a report that came back is about. */
    recipient?: string | undefined;
    /** The mail server's own text: untrusted. */
    reply: string;
  };
  /** Time of the event. */
  timestamp: string;
}

/** The body of `email.failed`. */
export interface EmailFailedEvent {
  /** The type of the event. */
  event: "email.failed";
  /** The e-mail's id. */
  email_id: string;
  /** Time of the event. */
  timestamp: string;
}

/** The body of `email.opened`. */
export interface EmailOpenedEvent {
  /** The type of the event. */
  event: "email.opened";
  /** The e-mail's id. */
  email_id: string;
  /** The e-mail, and what happened to it. */
  data: {
    /** The rendered subject; empty for a sensitive e-mail. */
    subject: string;
    /** The e-mail's tags. */
    tags: string[];
    /** The e-mail's metadata. */
    metadata: Record<string, unknown>;
    /** The recipient's address. */
    recipient?: string | undefined;
    /** The kind of program. */
    agent_class: "browser" | "mail_program" | "image_proxy" | "machine" | "unknown";
  };
  /** Time of the event. */
  timestamp: string;
}

/** The body of `email.queued`. */
export interface EmailQueuedEvent {
  /** The type of the event. */
  event: "email.queued";
  /** The e-mail's id. */
  email_id: string;
  /** The e-mail, and what happened to it. */
  data: {
    /** The rendered subject; empty for a sensitive e-mail. */
    subject: string;
    /** The e-mail's tags. */
    tags: string[];
    /** The e-mail's metadata. */
    metadata: Record<string, unknown>;
  };
  /** Time of the event. */
  timestamp: string;
}

/** The body of `email.sent`. */
export interface EmailSentEvent {
  /** The type of the event. */
  event: "email.sent";
  /** The e-mail's id. */
  email_id: string;
  /** Time of the event. */
  timestamp: string;
}

/** The body of `email.suppressed`. */
export interface EmailSuppressedEvent {
  /** The type of the event. */
  event: "email.suppressed";
  /** The e-mail's id. */
  email_id: string;
  /** The e-mail, and what happened to it. */
  data: {
    /** The rendered subject; empty for a sensitive e-mail. */
    subject: string;
    /** The e-mail's tags. */
    tags: string[];
    /** The e-mail's metadata. */
    metadata: Record<string, unknown>;
    /** The recipient's address. */
    recipient: string;
    /** Origin of the suppression. */
    origin: string;
  };
  /** Time of the event. */
  timestamp: string;
}

/** The body of `email.unsubscribed`. */
export interface EmailUnsubscribedEvent {
  /** The type of the event. */
  event: "email.unsubscribed";
  /** The e-mail's id. */
  email_id: string;
  /** The e-mail, and what happened to it. */
  data: {
    /** The rendered subject; empty for a sensitive e-mail. */
    subject: string;
    /** The e-mail's tags. */
    tags: string[];
    /** The e-mail's metadata. */
    metadata: Record<string, unknown>;
    /** The recipient's address. */
    recipient: string;
    /** The list that the recipient left. */
    list: string;
  };
  /** Time of the event. */
  timestamp: string;
}
