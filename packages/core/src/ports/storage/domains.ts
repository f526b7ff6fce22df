import type { Listing, Slice } from "./paging.ts";

/** How far a sending domain is to be trusted: mail goes from `verified` and `warning` ones. */
export type DomainStatus = "pending" | "verified" | "warning" | "failed";
/** What a DNS record is for. */
export type RecordPurpose = "ownership" | "dkim" | "return_path" | "spf" | "dmarc";
/** How a record was found. Only `unreachable` says nothing of it. */
export type RecordStatus = "ok" | "missing" | "wrong" | "ambiguous" | "unreachable";
/** Whether mail of a domain may also go to a server without TLS where that has none, or only over TLS. */
export type DomainTls = "opportunistic" | "required";
/** What a key signs with: rsa-sha256 (RFC 6376), or ed25519-sha256 (RFC 8463), which some receivers do not know yet. */
export type DkimAlgorithm = "rsa-2048" | "ed25519";
/** `active` signs, `standby` is published to take over, `retired` signed until lately. */
export type DkimKeyState = "standby" | "active" | "retired";

/** How one record was found at a check. */
export interface RecordFinding {
  /** What the record is for. */
  purpose: RecordPurpose;
  /** The record's type. */
  type: "TXT" | "MX";
  /** The record's full name. */
  name: string;
  /** How it was found. */
  status: RecordStatus;
  /** What stands there. */
  found: string[];
  /** What is wrong, as a stable word. */
  problem?: string | undefined;
  /** What to do about it; empty where there is nothing to do. */
  hint: string;
  /** What belongs there, where that depends on what stands there. */
  value?: string | undefined;
}

/** What a check found. */
export interface DomainFindings {
  /** The zone that the domain lies in; `undefined` before it was ever found. */
  zone?: string | undefined;
  /** How each record was found. */
  records: RecordFinding[];
}

/** A key that signs a domain's mail. */
export interface StoredDkimKey {
  /** Names the key in DNS. */
  selector: string;
  /** What it signs with. */
  algorithm: DkimAlgorithm;
  /** Sealed PEM; empty once the key is retired. */
  privateKey: string;
  /** The record's `p=`: of RSA the SubjectPublicKeyInfo, of Ed25519 the bare key, each in base64. */
  publicKey: string;
  /** Whether it signs, waits to, or did. */
  state: DkimKeyState;
  /** Whether its record was there when it was last looked at with success. */
  isPublished: boolean;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it began to sign, ms since the epoch. */
  activatedAt: number | undefined;
  /** When it ceased to sign, ms since the epoch. */
  retiredAt: number | undefined;
}

/** A domain that a workspace sends from. */
export interface Domain {
  /** Names it. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** ASCII, in lower case. */
  name: string;
  /** The domain at which names begin to be somebody's, such as `shop.example` of `mail.shop.example`. */
  organisation: string;
  /** What the ownership record says. */
  token: string;
  /** How far it is to be trusted. */
  status: DomainStatus;
  /** Since when, ms since the epoch. */
  statusSince: number;
  /** Why it is as it is; empty where all is well. */
  statusReason: string;
  /** Whether it stands for the domains beneath it too. */
  includeSubdomains: boolean;
  /** What stands before the name in the domain of its return paths, such as `bounces`. */
  returnPath: string;
  /** Whether that domain's records lead what comes back to this service. */
  returnPathVerified: boolean;
  /** Whether its mail needs TLS. */
  tls: DomainTls;
  /** What the last check found. */
  findings: DomainFindings;
  /** Oldest first. */
  keys: StoredDkimKey[];
  /** When it last became verified, ms since the epoch. */
  verifiedAt: number | undefined;
  /** When it was last looked at, ms since the epoch. */
  checkedAt: number | undefined;
  /** When it is looked at again, ms of queue time; `undefined`: only when somebody asks. */
  nextCheckAt: number | undefined;
  /** When it was told that the next key waits for its record. */
  rotationToldAt: number | undefined;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** What may change of a domain. A key that is there with `undefined` empties its column. */
export type DomainChanges = Partial<
  Pick<
    Domain,
    | "status"
    | "statusSince"
    | "statusReason"
    | "includeSubdomains"
    | "returnPath"
    | "returnPathVerified"
    | "tls"
    | "findings"
    | "verifiedAt"
    | "checkedAt"
    | "nextCheckAt"
    | "rotationToldAt"
    | "updatedAt"
  >
>;

/** A domain that mail may be sent from, with the keys that sign it. */
export interface SendingDomain {
  /** The workspace's number. */
  workspaceId: number;
  /** Names it. */
  id: string;
  /** ASCII, in lower case. */
  name: string;
  /** Whether it stands for the domains beneath it too. */
  includeSubdomains: boolean;
  /** The domain of its return paths, such as `bounces.shop.example`; `undefined` while nothing that comes back there reaches this service. */
  returnPathDomain: string | undefined;
  /** Whether its mail needs TLS. */
  tls: DomainTls;
  /** The active ones: of RSA always, of Ed25519 once it is published. */
  keys: Pick<StoredDkimKey, "selector" | "privateKey">[];
}

/** Sending domains of workspaces, with their keys. */
export interface Domains {
  /** Throws `UniqueViolation` "domains.name" where the workspace has it already. */
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
      | "tls"
      | "keys"
      | "nextCheckAt"
      | "createdAt"
    >,
  ): Promise<Domain>;
  /** `undefined` where there is none. */
  find(workspaceId: number, id: string): Promise<Domain | undefined>;
  /** As `find`; keeps others from changing it until the transaction ends. */
  lock(workspaceId: number, id: string): Promise<Domain | undefined>;
  /** Newest first. */
  list(workspaceId: number, slice: Slice): Promise<Listing<Domain>>;
  /** The workspace's domains of these names, whatever their status, in no order. */
  listNamed(
    workspaceId: number,
    names: readonly string[],
  ): Promise<Pick<Domain, "name" | "status" | "includeSubdomains" | "findings">[]>;
  /** Changes what is given; what it is then, or `undefined` where there is none. */
  update(workspaceId: number, id: string, changes: DomainChanges): Promise<Domain | undefined>;
  /** Removes a domain with its keys; whether there was one. */
  delete(workspaceId: number, id: string): Promise<boolean>;
  /**
   * In a transaction that locked the domain: for the algorithm of each key of `next`, retires the active key and forgets its private part,
   * makes the standby active, and adds that key.
   */
  rotate(domain: Domain, next: readonly StoredDkimKey[], now: number): Promise<void>;
  /** Notes which keys' records were there. */
  notePublished(
    domain: Domain,
    keys: readonly Pick<StoredDkimKey, "selector" | "isPublished">[],
  ): Promise<void>;
  /** Whether this is the domain of the return paths of any workspace's sending domain, which leads to this service. */
  isReturnPath(domain: string): Promise<boolean>;
  /** Whether the workspace has a domain that mail may be sent from and whose return path leads to this service. */
  hasReturnPath(workspaceId: number): Promise<boolean>;
  /** Removes keys that were retired before then. */
  deleteRetired(domain: Domain, before: number): Promise<void>;
  /** The domains of these names in these workspaces that mail may be sent from, in no order. */
  listSending(workspaceIds: number[], names: string[]): Promise<SendingDomain[]>;
  /** Domains whose check is due, longest due first; each is due again only at `until`, unless its check comes to something. */
  takeDue(now: number, until: number, limit: number): Promise<Domain[]>;
  /** Makes taken domains due at `now` again. */
  release(ids: string[], now: number): Promise<void>;
  /** When the next check is due. */
  nextDueAt(): Promise<number | undefined>;
}
