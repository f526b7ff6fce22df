import type { ApiKey } from "../../ports/storage.ts";

/** An API key as the API shows it, without the key and its digest (decisions §8). Times are ms since the epoch. */
export interface ApiKeyView {
  /** The key's id, a UUID. */
  id: string;
  /** The display name. */
  name: string;
  /** The key's first characters, to recognise it by. */
  prefix: string;
  /** Number of the user who created it; absent if the operator did. */
  createdBy: number | undefined;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When the key expires; absent if it never does. */
  expiresAt: number | undefined;
  /** When the key was last used, to the minute. */
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
