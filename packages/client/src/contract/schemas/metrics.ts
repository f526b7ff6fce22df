// Printed by `npm run docs:routes` from the table of routes.

/** `MailMetrics` of the API. */
export interface MailMetrics {
  /** The beginning. */
  from: string;
  /** The end. */
  until: string;
  /** Of the whole time. */
  totals: {
    /** Recipients whose e-mail was accepted. */
    accepted: number;
    /** Recipients whose mail server took the e-mail. */
    delivered: number;
    /** How often a recipient was deferred, to be tried again. */
    deferred: number;
    /** Recipients whose mail was refused or came back. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Whether nothing would be sent to it. */
    suppressed: number;
  };
  /** Hours or days in which there was something, the earliest first. */
  series: {
    /** When the hour or day begins. */
    start: string;
    /** Recipients whose e-mail was accepted. */
    accepted: number;
    /** Recipients whose mail server took the e-mail. */
    delivered: number;
    /** How often a recipient was deferred, to be tried again. */
    deferred: number;
    /** Recipients whose mail was refused or came back. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Whether nothing would be sent to it. */
    suppressed: number;
  }[];
  /** Domains with the most recipients first, at most 100. */
  domains: {
    /** The recipients' domain. */
    domain: string;
    /** Recipients whose e-mail was accepted. */
    accepted: number;
    /** Recipients whose mail server took the e-mail. */
    delivered: number;
    /** How often a recipient was deferred, to be tried again. */
    deferred: number;
    /** Recipients whose mail was refused or came back. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Whether nothing would be sent to it. */
    suppressed: number;
  }[];
  /** All other domains together. */
  other_domains: {
    /** Recipients whose e-mail was accepted. */
    accepted: number;
    /** Recipients whose mail server took the e-mail. */
    delivered: number;
    /** How often a recipient was deferred, to be tried again. */
    deferred: number;
    /** Recipients whose mail was refused or came back. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Whether nothing would be sent to it. */
    suppressed: number;
  };
}
