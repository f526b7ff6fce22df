import type { ApiKey } from "../../ports/storage.ts";

/** An API key as people see it: never the key, never its digest (decisions §8). Times are ms since the epoch. */
export interface ApiKeyView {
  /** The key's id, a UUID. */
  id: string;
  /** What it is called. */
  name: string;
  /** The key's first characters, to recognise it by. */
  prefix: string;
  /** The user who made it; absent where the operator did. */
  createdBy: number | undefined;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** Absent for a key that never expires. */
  expiresAt: number | undefined;
  /** To the minute. */
  lastUsedAt: number | undefined;
}

export const viewApiKey = (key: ApiKey): ApiKeyView => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  createdBy: key.createdBy,
  createdAt: key.createdAt,
  expiresAt: key.expiresAt,
  lastUsedAt: key.lastUsedAt,
});
