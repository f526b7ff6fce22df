/** What a report says of one recipient. */
export interface Finding {
  kind: "bounce" | "delay" | "complaint";
  /** The recipient that was asked for, then the one that it was forwarded to; each may be missing. Hostile. */
  addresses: string[];
  /** The enhanced status code as it is stated. */
  status: string | undefined;
  /** What the server said: hostile, one line of at most 1 KiB. */
  reply: string;
  /** Of a complaint: `abuse`, `fraud`, `virus` or `opt-out`. */
  feedback: string | undefined;
  /** Whether it stands in a form that is made for this, or was found by reading a text for people. */
  isStructured: boolean;
}

/** By what a report may name the e-mail. */
export interface Mentions {
  /** Signed tokens, from return paths or `X-Service-Ref`: not checked yet. */
  tokens: string[];
  /** Ids of e-mails: envelope ids, `X-Service-Email-Id`, Message-IDs. Anyone who got the mail knows them. */
  emailIds: string[];
}

/** What a message that came back says. */
export interface Report {
  kind: "delivery" | "feedback" | "auto_reply" | "other";
  findings: Finding[];
  mentions: Mentions;
}

/** What of a report is told by its form. */
export interface Told {
  kind: "delivery" | "feedback";
  findings: Finding[];
  /** What it says besides by which the e-mail may be known. */
  ids: string[];
}
