// Printed by `npm run docs:routes` from the table of routes.

/** `InboundEffect` of the API. */
export interface InboundEffect {
  /** Kind of report. */
  kind: "bounce" | "complaint" | "delay";
  /** The e-mail's recipient that the report is about. */
  recipient: string;
  /** Class of the bounce; `complaint` for a complaint. */
  class: string;
  /** Category of the bounce, or type of the complaint. */
  category: string;
  /** `noted`: the first of its kind; `suppressed`: the address is now suppressed; `known`: already reported before. */
  effect: "noted" | "known" | "suppressed";
}

/** `InboundEndpoint` of the API. */
export interface InboundEndpoint {
  /** Id. */
  id: string;
  /** The provider whose webhooks it receives. */
  provider: "ses" | "postmark" | "sendgrid" | "mailgun" | "resend" | "generic";
  /** Time of creation. */
  created_at: string;
}

/** `InboundEndpointMade` of the API. */
export interface InboundEndpointMade {
  /** Id. */
  id: string;
  /** The provider whose webhooks it receives. */
  provider: "ses" | "postmark" | "sendgrid" | "mailgun" | "resend" | "generic";
  /** Time of creation. */
  created_at: string;
  /** The URL for the provider to post to, shown only once: it is a secret. */
  url: string;
  /** The generated signing secret, shown only once; null if you gave one. */
  secret: string | null;
}

/** `InboundFed` of the API. */
export interface InboundFed {
  /** What the message was, and its effects. */
  report: InboundReport;
}

/** `InboundReceived` of the API. */
export interface InboundReceived {
  /** Number of its events about known e-mails. */
  matched: number;
}

/** `InboundReport` of the API. */
export interface InboundReport {
  /** Id; null if the report is not stored. */
  id: string | null;
  /** The kind of message. */
  kind: "notification" | "complaint" | "auto_reply" | "other";
  /** How it came: as a message (`dsn`), or by a relay's webhook. */
  source: "smtp" | "dsn" | "provider";
  /** Whether it is about an e-mail of the workspace. */
  matched: boolean;
  /** Id of the e-mail that the report is about; null if it is unknown. */
  email_id: string | null;
  /** Its effect on each recipient. */
  effects: InboundEffect[];
  /** Time of creation. */
  created_at: string;
}

/** `InboundReportDetails` of the API. */
export interface InboundReportDetails {
  /** Id. */
  id: string | null;
  /** The kind of message. */
  kind: "notification" | "complaint" | "auto_reply" | "other";
  /** How it came: as a message (`dsn`), or by a relay's webhook. */
  source: "smtp" | "dsn" | "provider";
  /** Whether it is about an e-mail of the workspace. */
  matched: boolean;
  /** Id of the e-mail that the report is about; null if it is unknown. */
  email_id: string | null;
  /** Its effect on each recipient. */
  effects: InboundEffect[];
  /** Time of creation. */
  created_at: string;
  /** The message as received, one character per byte. */
  raw: string;
}
