// Printed by `npm run docs:routes` from the table of routes.

/** `InboundEffect` of the API. */
export interface InboundEffect {
  /** What was reported. */
  kind: "bounce" | "complaint" | "delay";
  /** The address of the e-mail's that it is about. */
  recipient: string;
  /** What a bounce tells of; `complaint` for one. */
  class: string;
  /** Why it bounced, or the complaint's type. */
  category: string;
  /**
   * `noted` for the first of its kind, `suppressed` where the address gets no more mail for it, `known` for one that
   * was told before.
   */
  effect: "noted" | "known" | "suppressed";
}

/** `InboundEndpoint` of the API. */
export interface InboundEndpoint {
  /** Its id. */
  id: string;
  /** The provider whose webhooks it receives. */
  provider: "ses" | "postmark" | "sendgrid" | "mailgun" | "resend" | "generic";
  /** When it was made. */
  created_at: string;
}

/** `InboundEndpointMade` of the API. */
export interface InboundEndpointMade {
  /** Its id. */
  id: string;
  /** The provider whose webhooks it receives. */
  provider: "ses" | "postmark" | "sendgrid" | "mailgun" | "resend" | "generic";
  /** When it was made. */
  created_at: string;
  /** The URL for the provider to post to, shown only once: it is a secret. */
  url: string;
  /** The generated signing secret, shown only once; null if you gave one. */
  secret: string | null;
}

/** `InboundReceived` of the API. */
export interface InboundReceived {
  /** How many of its events are about e-mails that are known. */
  matched: number;
}

/** `InboundReport` of the API. */
export interface InboundReport {
  /** Its id; null where it is not kept. */
  id: string | null;
  /** The kind of message. */
  kind: "notification" | "complaint" | "auto_reply" | "other";
  /** The source: a notification, a complaint, or a relay's webhook. */
  source: "smtp" | "dsn" | "arf" | "provider";
  /** Whether it is about an e-mail of the workspace. */
  matched: boolean;
  /** The e-mail that it is about; null for none that is known. */
  email_id: string | null;
  /** Its effect on each recipient. */
  effects: InboundEffect[];
  /** When it was made. */
  created_at: string;
}

/** `InboundReportDetails` of the API. */
export interface InboundReportDetails {
  /** Its id. */
  id: string | null;
  /** The kind of message. */
  kind: "notification" | "complaint" | "auto_reply" | "other";
  /** The source: a notification, a complaint, or a relay's webhook. */
  source: "smtp" | "dsn" | "arf" | "provider";
  /** Whether it is about an e-mail of the workspace. */
  matched: boolean;
  /** The e-mail that it is about; null for none that is known. */
  email_id: string | null;
  /** Its effect on each recipient. */
  effects: InboundEffect[];
  /** When it was made. */
  created_at: string;
  /** The message as it came, one character a byte. */
  raw: string;
}
