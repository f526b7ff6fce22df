// Printed by `npm run docs:routes` from the table of routes.

/** `DryRun` of the API. */
export interface DryRun {
  /** Whether the e-mail would be accepted, and sent to at least one recipient. */
  would_send: boolean;
  /** All reasons to refuse it, each with the code of the refusal. */
  reasons: {
    /** Stable code. */
    code: string;
    /** The reason, for people. */
    message: string;
    /** Further details, by name; null for none. */
    details: unknown;
  }[];
  /** Its recipients. */
  recipients: {
    /** Kind of recipient. */
    kind: "to" | "cc" | "bcc";
    /** The bare address. */
    address: string;
    /** Whether mail to the address would be suppressed. */
    suppressed: boolean;
  }[];
  /** Limits of the plan, and their use before this send. */
  quota: {
    /** The current clock hour (UTC). */
    hour: {
      /** Number of recipients counted so far. */
      used: number;
      /** Number of recipients that the plan allows; 0 for no limit. */
      limit: number;
    };
    /** The current day (UTC). */
    day: {
      /** Number of recipients counted so far. */
      used: number;
      /** Number of recipients that the plan allows; 0 for no limit. */
      limit: number;
    };
  };
  /**
   * The mail server that would be used first, with the id null for the operator's; null if no server accepts the
   * e-mail.
   */
  server: {
    /** Id of the workspace's own mail server; null for the operator's. */
    smtp_server_id: string | null;
    /** Name: of a server, null for the operator's; of a domain, in ASCII. */
    name: string | null;
  } | null;
  /** Domain of the sender; null without a sender. */
  domain: {
    /** Name: of a server, null for the operator's; of a domain, in ASCII. */
    name: string;
    /** The status of the workspace's domain that covers it; null if there is none. */
    status: "pending" | "verified" | "warning" | "failed" | null;
    /** Whether the e-mail would be signed. */
    dkim: boolean;
  } | null;
  /** The version that would be sent; null without a template. */
  template_version_id: string | null;
  /** Rendered subject. */
  subject: string;
  /** Placeholders without a value. */
  missing: string[];
  /** Names in `template_data` that the template does not use. */
  unused: string[];
  /** Bytes of the rendered subject, html and text and of the files, before transfer encoding. */
  size_bytes: number;
  /** Remarks that do not prevent the send. */
  warnings: {
    /** Stable code. */
    code: string;
    /** The reason, for people. */
    message: string;
    /** Further details, by name; null for none. */
    details: unknown;
  }[];
}
