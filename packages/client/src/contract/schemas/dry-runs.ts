// Printed by `npm run docs:routes` from the table of routes.

/** `DryRun` of the API. */
export interface DryRun {
  /** Whether it would be accepted, and anything sent. */
  would_send: boolean;
  /** Everything that would refuse it, each by the code that the send would be refused with. */
  reasons: {
    /** A stable word for it. */
    code: string;
    /** The reason, for people to read. */
    message: string;
    /** Further details, by name; null for none. */
    details: unknown;
  }[];
  /** Its recipients. */
  recipients: {
    /** How the recipient was addressed. */
    kind: "to" | "cc" | "bcc";
    /** The bare address. */
    address: string;
    /** Whether nothing would be sent to it. */
    suppressed: boolean;
  }[];
  /** The plan's limits, and what is used of them before this send. */
  quota: {
    /** The current clock hour, UTC. */
    hour: {
      /** Recipients counted so far. */
      used: number;
      /** Recipients that the plan allows; 0 for any number. */
      limit: number;
    };
    /** The current day, UTC. */
    day: {
      /** Recipients counted so far. */
      used: number;
      /** Recipients that the plan allows; 0 for any number. */
      limit: number;
    };
  };
  /**
   * The mail server that it would be handed to first, with an id of null for the operator's; null where none takes
   * it.
   */
  server: {
    /** The workspace's own mail server; null for the operator's. */
    smtp_server_id: string | null;
    /** Its name: of a server, null for the operator's; of a domain, in ASCII. */
    name: string | null;
  } | null;
  /** The status of the sender's domain; null without a sender. */
  domain: {
    /** Its name: of a server, null for the operator's; of a domain, in ASCII. */
    name: string;
    /** The status of the workspace's domain that covers it; null if there is none. */
    status: "pending" | "verified" | "warning" | "failed" | null;
    /** Whether the e-mail would be signed. */
    dkim: boolean;
  } | null;
  /** The version that would be sent; null without a template. */
  template_version_id: string | null;
  /** Rendered. */
  subject: string;
  /** Placeholders that have no value. */
  missing: string[];
  /** Names in `template_data` that nothing in the template reads. */
  unused: string[];
  /** Bytes of the rendered subject, html and text, and of the files, before they are encoded for the way. */
  size_bytes: number;
  /** Remarks that refuse nothing, and are worth knowing. */
  warnings: {
    /** A stable word for it. */
    code: string;
    /** The reason, for people to read. */
    message: string;
    /** Further details, by name; null for none. */
    details: unknown;
  }[];
}
