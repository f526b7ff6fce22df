import {
  type DkimAlgorithm,
  type Domain,
  type DomainChanges,
  type DomainFindings,
  type DomainStatus,
  type DomainTls,
  readStoredObject,
  type SendingDomain,
  type StoredDkimKey,
} from "@posthorn/core/storage";
import { sql } from "kysely";
import { present } from "../../present.ts";
import type { Row } from "../../tables.ts";

type DomainRow = Row<"domains">;
type KeyRow = Row<"domain_keys">;
/** A sending domain joined with one of its active keys. */
type SendingRow = Pick<
  DomainRow,
  | "workspace_id"
  | "uuid"
  | "name"
  | "include_subdomains"
  | "return_path_domain"
  | "return_path_verified"
  | "tracking_domain"
  | "tracking_verified"
  | "tls"
> &
  Pick<KeyRow, "selector" | "private_key" | "algorithm" | "is_published">;

/** Combines the rows of one domain, one per key. */
export function toSending(rows: readonly SendingRow[]): SendingDomain[] {
  const domains = new Map<string, SendingDomain>();
  // The algorithm that every receiver can verify comes first.
  for (const row of rows.toSorted((a, b) => (a.algorithm > b.algorithm ? -1 : 1))) {
    if (row.algorithm !== "rsa-2048" && !row.is_published) continue;
    const domain = domains.get(row.uuid) ?? {
      workspaceId: row.workspace_id,
      id: row.uuid,
      name: row.name,
      includeSubdomains: Boolean(row.include_subdomains),
      returnPathDomain: row.return_path_verified ? row.return_path_domain : undefined,
      trackingDomain: row.tracking_verified ? present(row.tracking_domain) : undefined,
      tls: row.tls as DomainTls,
      keys: [],
    };
    domain.keys.push({ selector: row.selector, privateKey: row.private_key });
    domains.set(row.uuid, domain);
  }
  return [...domains.values()];
}

/** A key as it is inserted. */
export const keyRow = (domainId: number, key: StoredDkimKey) => ({
  domain_id: domainId,
  selector: key.selector,
  algorithm: key.algorithm,
  private_key: key.privateKey,
  public_key: key.publicKey,
  state: key.state,
  is_published: key.isPublished,
  created_at: key.createdAt,
  activated_at: key.activatedAt ?? null,
  retired_at: key.retiredAt ?? null,
});

/** A key present with `undefined` clears its column. */
export function changedColumns(changes: DomainChanges) {
  return {
    ...(changes.status !== undefined && { status: changes.status }),
    ...(changes.statusSince !== undefined && { status_since: changes.statusSince }),
    ...(changes.statusReason !== undefined && { status_reason: changes.statusReason }),
    ...(changes.includeSubdomains !== undefined && { include_subdomains: changes.includeSubdomains }),
    ...(changes.returnPath !== undefined && {
      return_path: changes.returnPath,
      return_path_domain: sql<string>`${changes.returnPath} || '.' || name`,
    }),
    ...(changes.returnPathVerified !== undefined && { return_path_verified: changes.returnPathVerified }),
    ...("tracking" in changes && {
      tracking: changes.tracking ?? null,
      tracking_domain:
        changes.tracking === undefined ? null : sql<string>`${changes.tracking} || '.' || name`,
    }),
    ...(changes.trackingVerified !== undefined && { tracking_verified: changes.trackingVerified }),
    ...(changes.tls !== undefined && { tls: changes.tls }),
    ...(changes.findings !== undefined && { records: JSON.stringify(changes.findings) }),
    ...(changes.verifiedAt !== undefined && { verified_at: changes.verifiedAt }),
    ...(changes.checkedAt !== undefined && { checked_at: changes.checkedAt }),
    ...("nextCheckAt" in changes && { next_check_at: changes.nextCheckAt ?? null }),
    ...("rotationToldAt" in changes && { rotation_told_at: changes.rotationToldAt ?? null }),
    ...(changes.updatedAt !== undefined && { updated_at: changes.updatedAt }),
  };
}

/** Reads what the last check found; nothing if that is damaged, which the next check mends. */
export function readFindings(text: string): DomainFindings {
  const findings = readStoredObject(text);
  return Array.isArray(findings["records"]) ? { ...findings, records: findings["records"] } : { records: [] };
}

/** A domain with its keys, as the port has it. */
export function toDomain(row: DomainRow, keys: KeyRow[]): Domain {
  return {
    id: row.uuid,
    workspaceId: row.workspace_id,
    name: row.name,
    organisation: row.organisation,
    token: row.token,
    status: row.status as DomainStatus,
    statusSince: row.status_since,
    statusReason: row.status_reason,
    includeSubdomains: Boolean(row.include_subdomains),
    returnPath: row.return_path,
    returnPathVerified: Boolean(row.return_path_verified),
    tracking: present(row.tracking),
    trackingVerified: Boolean(row.tracking_verified),
    tls: row.tls as DomainTls,
    findings: readFindings(row.records),
    keys: keys.map((key) => ({
      selector: key.selector,
      algorithm: key.algorithm as DkimAlgorithm,
      privateKey: key.private_key,
      publicKey: key.public_key,
      state: key.state as StoredDkimKey["state"],
      isPublished: Boolean(key.is_published),
      createdAt: key.created_at,
      activatedAt: present(key.activated_at),
      retiredAt: present(key.retired_at),
    })),
    verifiedAt: present(row.verified_at),
    checkedAt: present(row.checked_at),
    nextCheckAt: present(row.next_check_at),
    rotationToldAt: present(row.rotation_told_at),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
