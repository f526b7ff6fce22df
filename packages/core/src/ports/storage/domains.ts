import type { Listing, Slice } from "./paging.ts";

/** Status of a sending domain. Mail is sent from `verified` and `warning` ones. */
export type DomainStatus = "pending" | "verified" | "warning" | "failed";
/** Purpose of a DNS record. */
export type RecordPurpose = "ownership" | "dkim" | "return_path" | "tracking" | "spf" | "dmarc";
/** Type of a DNS record. */
export type RecordType = "TXT" | "MX" | "CNAME";
/** Result of checking a record. `unreachable` means that it is unknown. */
export type RecordStatus = "ok" | "missing" | "wrong" | "ambiguous" | "unreachable";
/** Whether a domain's mail requires TLS, or may also be sent in clear text to a server without TLS. */
export type DomainTls = "opportunistic" | "required";
/**
 * Algorithm of a DKIM key: rsa-sha256 (RFC 6376), or ed25519-sha256 (RFC 8463), which some receivers do not support
 * yet.
 */
export type DkimAlgorithm = "rsa-2048" | "ed25519";
/** `active` signs, `standby` is published to succeed it, `retired` signed before. */
export type DkimKeyState = "standby" | "active" | "retired";

/** Result of checking one record. */
export interface RecordFinding {
  /** The record's purpose. */
  purpose: RecordPurpose;
  /** The record's type. */
  type: RecordType;
  /** The record's full name. */
  name: string;
  /** The result. */
  status: RecordStatus;
  /** The values that were found. */
  found: string[];
  /** The problem as a stable code. */
  problem?: string | undefined;
  /** How to fix the problem; empty if there is nothing to do. */
  hint: string;
  /** The value to publish, if it depends on the values found. */
  value?: string | undefined;
}

/** Results of a check. */
export interface DomainFindings {
  /** The zone that contains the domain; `undefined` before it was first found. */
  zone?: string | undefined;
  /** Result for each record. */
  records: RecordFinding[];
}

/** A stored DKIM key of a domain. */
export interface StoredDkimKey {
  /** The key's selector in DNS. */
  selector: string;
  /** The signature algorithm. */
  algorithm: DkimAlgorithm;
  /** The encrypted PEM; empty once the key is retired. */
  privateKey: string;
  /** The record's `p=`: the SubjectPublicKeyInfo for RSA, the bare key for Ed25519, each in base64. */
  publicKey: string;
  /** State of the key. */
  state: DkimKeyState;
  /** Whether its record was published at the last successful check. */
  isPublished: boolean;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it became active, ms since the epoch. */
  activatedAt: number | undefined;
  /** When it was retired, ms since the epoch. */
  retiredAt: number | undefined;
}

/** A sending domain of a workspace. */
export interface Domain {
  /** Its unique id. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** The domain in ASCII and lower case. */
  name: string;
  /** The registrable domain, such as `shop.example` for `mail.shop.example`. */
  organisation: string;
  /** The token in the ownership record. */
  token: string;
  /** The domain's status. */
  status: DomainStatus;
  /** When the status last changed, ms since the epoch. */
  statusSince: number;
  /** Reason for the status; empty if the check found no problem. */
  statusReason: string;
  /** Whether it also covers its subdomains. */
  includeSubdomains: boolean;
  /** Prefix of the return path's domain, such as `bounces`. */
  returnPath: string;
  /** Whether the return path's records point to this service. */
  returnPathVerified: boolean;
  /** Prefix of the host in tracked links, such as `tracking`; `undefined` if these have the base URL's host. */
  tracking: string | undefined;
  /** Whether the tracking host's record points to this service. */
  trackingVerified: boolean;
  /** Whether its mail requires TLS. */
  tls: DomainTls;
  /** Results of the last check. */
  findings: DomainFindings;
  /** The keys, oldest first. */
  keys: StoredDkimKey[];
  /** When it last became verified, ms since the epoch. */
  verifiedAt: number | undefined;
  /** When it was last checked, ms since the epoch. */
  checkedAt: number | undefined;
  /** When it is checked next, ms of queue time; `undefined`: only on request. */
  nextCheckAt: number | undefined;
  /** When it was announced that the next key waits for its record. */
  rotationToldAt: number | undefined;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** Changes of a domain. A key present with the value `undefined` empties its column. */
export type DomainChanges = Partial<
  Pick<
    Domain,
    | "status"
    | "statusSince"
    | "statusReason"
    | "includeSubdomains"
    | "returnPath"
    | "returnPathVerified"
    | "tracking"
    | "trackingVerified"
    | "tls"
    | "findings"
    | "verifiedAt"
    | "checkedAt"
    | "nextCheckAt"
    | "rotationToldAt"
    | "updatedAt"
  >
>;

/** A domain that mail may be sent from, with its signing keys. */
export interface SendingDomain {
  /** The workspace's number. */
  workspaceId: number;
  /** Its unique id. */
  id: string;
  /** The domain in ASCII and lower case. */
  name: string;
  /** Whether it also covers its subdomains. */
  includeSubdomains: boolean;
  /** The return path's domain, such as `bounces.shop.example`; `undefined` unless its mail reaches this service. */
  returnPathDomain: string | undefined;
  /** The host of tracked links, such as `tracking.shop.example`; `undefined` unless it points to this service. */
  trackingDomain: string | undefined;
  /** Whether its mail requires TLS. */
  tls: DomainTls;
  /** The active keys: always RSA, and Ed25519 once its record is published. */
  keys: Pick<StoredDkimKey, "selector" | "privateKey">[];
}

/** Sending domains of workspaces, with their keys. */
export interface Domains {
  /** Inserts a domain. Throws `UniqueViolation` "domains.name" if the workspace has it already. */
  insert(
    domain: Pick<
      Domain,
      | "id"
      | "workspaceId"
      | "name"
      | "organisation"
      | "token"
      | "includeSubdomains"
      | "returnPath"
      | "tracking"
      | "tls"
      | "keys"
      | "nextCheckAt"
      | "createdAt"
    >,
  ): Promise<Domain>;
  /** Finds one; `undefined` if there is none. */
  find(workspaceId: number, id: string): Promise<Domain | undefined>;
  /** Finds a domain and locks it until the transaction ends. */
  lock(workspaceId: number, id: string): Promise<Domain | undefined>;
  /** Lists them, newest first. */
  list(workspaceId: number, slice: Slice): Promise<Listing<Domain>>;
  /** Lists the workspace's domains with these names, of any status, in no order. */
  listNamed(
    workspaceId: number,
    names: readonly string[],
  ): Promise<Pick<Domain, "name" | "status" | "includeSubdomains" | "findings">[]>;
  /** Changes the given fields. Returns the updated row, or `undefined` if there is none. */
  update(workspaceId: number, id: string, changes: DomainChanges): Promise<Domain | undefined>;
  /** Deletes a domain with its keys. Returns whether there was one. */
  delete(workspaceId: number, id: string): Promise<boolean>;
  /**
   * For the algorithm of each key of `next`: retires the active key and removes its private part, makes the standby key
   * active, and inserts the new one. The transaction must have locked the domain.
   */
  rotate(domain: Domain, next: readonly StoredDkimKey[], now: number): Promise<void>;
  /** Records which keys are published. */
  notePublished(
    domain: Domain,
    keys: readonly Pick<StoredDkimKey, "selector" | "isPublished">[],
  ): Promise<void>;
  /** Whether this is the return path's domain of any workspace's sending domain, and points to this service. */
  isReturnPath(domain: string): Promise<boolean>;
  /** Whether the workspace has a domain that mail may be sent from and whose return path points to this service. */
  hasReturnPath(workspaceId: number): Promise<boolean>;
  /** Whether this is the tracking host of any workspace's domain that mail may be sent from, and points to this service. */
  isTrackingHost(host: string): Promise<boolean>;
  /** Deletes keys that were retired before a time. */
  deleteRetired(domain: Domain, before: number): Promise<void>;
  /** Lists the domains with these names in these workspaces that mail may be sent from, in no order. */
  listSending(workspaceIds: number[], names: string[]): Promise<SendingDomain[]>;
  /**
   * Takes domains whose check is due, longest due first. Each is due again only at `until`, unless its check is
   * recorded before.
   */
  takeDue(now: number, until: number, limit: number): Promise<Domain[]>;
  /** Makes taken domains due again at `now`. */
  release(ids: string[], now: number): Promise<void>;
  /** Makes every check that is planned for later than `after` due at `now`. */
  checkPlanned(after: number, now: number): Promise<void>;
  /** Returns when the next check is due. */
  nextDueAt(): Promise<number | undefined>;
}
