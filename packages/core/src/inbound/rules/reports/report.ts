/** What a report says about one recipient. */
export interface Finding {
  kind: "bounce" | "delay" | "complaint";
  /**
   * The original recipient, then those that the mail was forwarded to; each may be missing. The last is the one whom it
   * did not reach. Untrusted text.
   */
  addresses: string[];
  /** The enhanced status code in the report. */
  status: string | undefined;
  /** The server's reply: untrusted text, one line of at most 1 KiB. */
  reply: string;
  /** The host that could not be reached, if the report gives no reply. Untrusted text. */
  unreached?: string;
  /** Type of a complaint: `abuse`, `fraud`, `virus` or `opt-out`. */
  feedback: string | undefined;
  /** Whether it was in a machine-readable part, or extracted from a text for people. */
  isStructured: boolean;
  /** Whether the same reply refused the content for several recipients: it does not say whose mailbox is at fault. */
  isShared?: boolean;
  /**
   * Whether the addresses are those of several recipients, of whom any may be meant: then the finding counts only for an
   * e-mail with a single recipient.
   */
  isUndecided?: boolean;
}

/** Identifiers of an e-mail in a report. */
export interface Mentions {
  /** Signed tokens, from return paths or `X-Service-Ref`, not verified yet. */
  tokens: string[];
  /** Ids of e-mails: envelope ids, `X-Service-Email-Id`, Message-IDs. Every recipient of the mail knows them. */
  emailIds: string[];
}

/** A parsed returned message. */
export interface Report {
  kind: "notification" | "complaint" | "auto_reply" | "other";
  findings: Finding[];
  mentions: Mentions;
}

/** The machine-readable part of a report. */
export interface ReportFacts {
  kind: "notification" | "complaint";
  findings: Finding[];
  /** Other values that may identify the e-mail. */
  ids: string[];
  /** Whether it names no recipient: then only the text may. */
  namesNobody?: boolean;
}
