import type { Listing, Slice } from "./paging.ts";

/** An API key. Only a digest of its text is stored. */
export interface ApiKey {
  /** Its unique id. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** The name. */
  name: string;
  /** The first characters of the key, to recognise it by. */
  prefix: string;
  /** Number of the user who created it; `undefined` for the operator. */
  createdBy: number | undefined;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it expires, ms since the epoch; `undefined` for never. */
  expiresAt: number | undefined;
  /** When it was revoked, ms since the epoch; `undefined` if it was not. */
  revokedAt: number | undefined;
  /** When it was last used, as last recorded, ms since the epoch; `undefined` for never. */
  lastUsedAt: number | undefined;
}

/** API keys. */
export interface ApiKeys {
  /** Inserts a key under the digest of its text. */
  insert(key: Omit<ApiKey, "revokedAt" | "lastUsedAt"> & { digest: string }): Promise<ApiKey>;
  /** Finds keys by the digests of their texts, including revoked and expired ones, in no order. */
  findByDigests(digests: string[]): Promise<(ApiKey & { digest: string })[]>;
  /** Finds one; `undefined` if there is none. */
  find(workspaceId: number, id: string): Promise<ApiKey | undefined>;
  /** Lists the unrevoked ones, newest first. */
  list(workspaceId: number, slice: Slice): Promise<Listing<ApiKey>>;
  /** Counts those that are neither revoked nor expired. */
  countUsable(workspaceId: number, now: number): Promise<number>;
  /** Revokes a key. Returns whether there was an unrevoked one. */
  revoke(workspaceId: number, id: string, now: number): Promise<boolean>;
  /** Lists unrevoked keys that expire after `from` and up to `until`, the next to expire first. */
  listExpiring(from: number, until: number, limit: number): Promise<ApiKey[]>;
  /**
   * Returns unrevoked keys that have at most 14 days and at most half of their lifetime left, and marks them: each is
   * returned only once, to one transaction that commits.
   */
  takeExpiring(now: number, limit: number): Promise<ApiKey[]>;
  /** Records the use of keys. */
  touch(ids: string[], now: number): Promise<void>;
}
