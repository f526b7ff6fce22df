// Printed by `npm run docs:routes` from the table of routes.

/** `DkimKey` of the API. */
export interface DkimKey {
  /** The name of the key's record beneath `_domainkey`. */
  selector: string;
  /** The key's algorithm. */
  algorithm: "rsa-2048" | "ed25519";
  /** Whether it signs, is published to take over, or signed until lately. */
  state: "standby" | "active" | "retired";
  /** Whether mail is signed with it now: RSA's active one, and Ed25519's once its record is there. */
  signs: boolean;
  /** When it was made. */
  created_at: string;
  /** When it began to sign; null before. */
  activated_at: string | null;
  /** When it stopped signing; null before. */
  retired_at: string | null;
}

/** `Domain` of the API. */
export interface Domain {
  /** Its id. */
  id: string;
  /** The domain, in ASCII. */
  name: string;
  /** Mail is signed, and a domain counts as verified, in `verified` and `warning`. */
  status: "pending" | "verified" | "warning" | "failed";
  /** Why it has this status; empty if all is well. */
  status_reason: string;
  /** The DNS records to publish, and how they were found. */
  records: DomainRecord[];
  /** Its keys, oldest first. */
  dkim: DkimKey[];
  /** Whether it also covers its subdomains. */
  include_subdomains: boolean;
  /** The label of its return-path subdomain. */
  return_path: string;
  /** Whether bounces to its return-path subdomain reach this service. */
  return_path_verified: boolean;
  /** Whether its mail requires TLS. */
  tls: "opportunistic" | "required";
  /** When it last became verified; null before. */
  verified_at: string | null;
  /** When its records were last checked; null before. */
  checked_at: string | null;
  /** When its records are checked next; null for only on request. */
  next_check_at: string | null;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `DomainRecord` of the API. */
export interface DomainRecord {
  /** What the record is for. */
  purpose: "ownership" | "dkim" | "return_path" | "spf" | "dmarc";
  /** Whether the domain's status depends on it. */
  required: boolean;
  /** The record's type. */
  type: "TXT" | "MX";
  /** The record's full name. */
  name: string;
  /** The name to enter in a DNS panel: relative to the zone, `@` for the zone itself. */
  host: string;
  /** The value to publish, in one record. */
  value: string;
  /** The record's time to live in seconds. */
  ttl: number;
  /** Of an MX record, whose value is the host alone; null for others. */
  priority: number | null;
  /** How it was found. `unreachable` says nothing of it; `keep` and `removable` are of a retired key's. */
  status: "unchecked" | "ok" | "missing" | "wrong" | "ambiguous" | "unreachable" | "keep" | "removable";
  /** The records that are published there; at most 5 texts. */
  found: string[];
  /** The problem, as a stable word; null for none. */
  problem:
    | "not_found"
    | "zone_not_found"
    | "wrong_zone"
    | "name_doubled"
    | "underscore_missing"
    | "alias"
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
  /** What to do about it, for people to read; empty if there is nothing to do. */
  hint: string;
}
