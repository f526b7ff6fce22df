import type { Flag, Id } from "./columns.ts";

export interface DomainsTable {
  id: Id;
  uuid: string;
  workspace_id: number;
  name: string;
  organisation: string;
  token: string;
  status: string;
  status_since: number;
  status_reason: string;
  include_subdomains: Flag;
  return_path: string;
  /** The whole name: what stands before the domain's, and that. */
  return_path_domain: string;
  return_path_verified: Flag;
  tls: string;
  /** JSON: what the last check found. */
  records: string;
  verified_at: number | null;
  checked_at: number | null;
  next_check_at: number | null;
  rotation_told_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface DomainKeysTable {
  id: Id;
  domain_id: number;
  selector: string;
  algorithm: string;
  /** Sealed; empty once retired. */
  private_key: string;
  public_key: string;
  state: string;
  is_published: Flag;
  created_at: number;
  activated_at: number | null;
  retired_at: number | null;
}

export interface DomainTables {
  domains: DomainsTable;
  domain_keys: DomainKeysTable;
}
