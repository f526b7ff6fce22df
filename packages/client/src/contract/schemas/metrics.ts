// Printed by `npm run docs:routes` from the table of routes.

/** `MailMetrics` of the API. */
export interface MailMetrics {
  /** Start of the period. */
  from: string;
  /** End of the period. */
  until: string;
  /** Sums of the whole period. */
  totals: {
    /** Recipients whose e-mail was accepted. */
    accepted: number;
    /** Recipients whose mail server accepted the e-mail. */
    delivered: number;
    /** Number of deferrals: attempts for a recipient that are retried later. */
    deferred: number;
    /** Recipients whose mail was refused or returned. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Recipients of accepted e-mails who got none because they are suppressed. */
    suppressed: number;
  };
  /** Figures for each hour or day with any, earliest first. */
  series: {
    /** Start of the hour or day. */
    start: string;
    /** Recipients whose e-mail was accepted. */
    accepted: number;
    /** Recipients whose mail server accepted the e-mail. */
    delivered: number;
    /** Number of deferrals: attempts for a recipient that are retried later. */
    deferred: number;
    /** Recipients whose mail was refused or returned. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Recipients of accepted e-mails who got none because they are suppressed. */
    suppressed: number;
  }[];
  /** Figures by domain: at most 100, those with the most recipients first. */
  domains: {
    /** The recipients' domain. */
    domain: string;
    /** Recipients whose e-mail was accepted. */
    accepted: number;
    /** Recipients whose mail server accepted the e-mail. */
    delivered: number;
    /** Number of deferrals: attempts for a recipient that are retried later. */
    deferred: number;
    /** Recipients whose mail was refused or returned. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Recipients of accepted e-mails who got none because they are suppressed. */
    suppressed: number;
  }[];
  /** Sum of all other domains. */
  other_domains: {
    /** Recipients whose e-mail was accepted. */
    accepted: number;
    /** Recipients whose mail server accepted the e-mail. */
    delivered: number;
    /** Number of deferrals: attempts for a recipient that are retried later. */
    deferred: number;
    /** Recipients whose mail was refused or returned. */
    bounced: number;
    /** Recipients who complained. */
    complained: number;
    /** Recipients of accepted e-mails who got none because they are suppressed. */
    suppressed: number;
  };
}
