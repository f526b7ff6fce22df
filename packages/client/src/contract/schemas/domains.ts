// Printed by `npm run docs:routes` from the table of routes.

/** `DkimKey` of the API. */
export interface DkimKey {
  /** The name of the key's record beneath `_domainkey`. */
  selector: string;
  /** The key's algorithm. */
  algorithm: "rsa-2048" | "ed25519";
  /** Whether the key signs, is published as the next one, or signed until recently. */
  state: "standby" | "active" | "retired";
  /** Whether mail is now signed with it: the active RSA key, and the active Ed25519 key once its record is published. */
  signs: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time at which the key began to sign; null before. */
  activated_at: string | null;
  /** Time at which the key stopped signing; null before. */
  retired_at: string | null;
}

/** `Domain` of the API. */
export interface Domain {
  /** Id. */
  id: string;
  /** The domain, in ASCII. */
  name: string;
  /** Status of the domain. In `verified` and `warning` its mail is signed and it counts as verified. */
  status: "pending" | "verified" | "warning" | "failed";
  /** Reason for the status; empty if there is no problem. */
  status_reason: string;
  /** DNS records to publish, with the result of the last check. */
  records: DomainRecord[];
  /** DKIM keys, oldest first. */
  dkim: DkimKey[];
  /** Whether it also covers its subdomains. */
  include_subdomains: boolean;
  /** The label of its return-path subdomain. */
  return_path: string;
  /** Whether bounces to its return-path subdomain reach this service. */
  return_path_verified: boolean;
  /** Label of its tracking host, the host in tracked links and images; null if that is the service's own. */
  tracking: string | null;
  /** Whether the tracking host's record leads to this service, so that it is used. */
  tracking_verified: boolean;
  /** Whether its mail requires TLS. */
  tls: "opportunistic" | "required";
  /** Time at which it last became verified; null before. */
  verified_at: string | null;
  /** Time of the last check of its records; null before. */
  checked_at: string | null;
  /** Time of the next check of its records; null if they are checked only on request. */
  next_check_at: string | null;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

/** `DomainRecord` of the API. */
export interface DomainRecord {
  /** Purpose of the record. */
  purpose: "ownership" | "dkim" | "return_path" | "tracking" | "spf" | "dmarc";
  /** Whether the domain's status depends on it. */
  required: boolean;
  /** The record's type. */
  type: "TXT" | "MX" | "CNAME";
  /** The record's full name. */
  name: string;
  /** The name to enter in a DNS panel: relative to the zone, `@` for the zone itself. */
  host: string;
  /** The value to publish, in one record. */
  value: string;
  /** The record's time to live in seconds. */
  ttl: number;
  /** Priority of an MX record, whose value is the host alone; null for others. */
  priority: number | null;
  /**
   * Result of the last check. `unreachable`: the name servers could not be asked; `keep` and `removable` are for a
   * retired key's record.
   */
  status: "unchecked" | "ok" | "missing" | "wrong" | "ambiguous" | "unreachable" | "keep" | "removable";
  /** Published values that were found; at most 5 texts. */
  found: string[];
  /** Problem, as a stable code; null for none. */
  problem:
    | "not_found"
    | "zone_not_found"
    | "wrong_zone"
    | "name_doubled"
    | "underscore_missing"
    | "alias"
    | "address"
    | "quoted"
    | "cut_short"
    | "in_pieces"
    | "several"
    | "other_key"
    | "key_revoked"
    | "testing"
    | "other_value"
    | "name_servers_differ"
    | "too_many_lookups"
    | "passes_all"
    | "include_missing"
    | "no_answer"
    | null;
  /** What to do, for people; empty if nothing is to be done. */
  hint: string;
}
