// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { Page } from "../calls/paging.ts";
import type { ApiKeyView } from "../workspaces/api-keys/api-key-view.ts";
import type { CreatedApiKey } from "../workspaces/api-keys/create-api-key.ts";
import type { CallShapes } from "./call-options.ts";

/** What `create` takes. */
export interface CreateApiKeyInput {
  /** The key's name: 1 to 100 characters on one line. */
  name: string;
  /** Days until the key expires, at most 3,650; 0 for never. Default: the workspace's `apiKeyExpiryDays`. */
  expiresInDays?: number | undefined;
}

/** What `list` takes. */
export interface ListApiKeysInput {
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
}

/** What `revoke` takes. */
export interface RevokeApiKeyInput {
  /** The API key's id, a UUID. */
  apiKeyId: string;
}

/** API keys, with which programs send. */
export interface ApiKeysVerbs<K extends CallShapes = CallShapes> {
  /**
   * Creates an API key, within the plan's `maxApiKeys`. The owner's address must be verified. The key's text is
   * returned only here (decisions §8).
   *
   * May refuse with `email_not_verified`, `plan_limit_reached`.
   */
  create(this: void, input: CreateApiKeyInput, ...call: K["workspace"]): Promise<CreatedApiKey>;
  /** Lists the workspace's unrevoked keys, newest first (decisions §8). */
  list(this: void, input?: ListApiKeysInput, ...call: K["workspace"]): Promise<Page<ApiKeyView>>;
  /** Revokes a key. It is refused from the next request on (decisions §8). */
  revoke(this: void, input: RevokeApiKeyInput, ...call: K["workspace"]): Promise<void>;
}
