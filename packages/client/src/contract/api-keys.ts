// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { ApiKey, ApiKeyWithText, Message } from "./schemas.ts";

/** Lines of the contract about api keys. */
export interface ApiKeysLines {
  /** Create an API key. */
  "POST /workspaces/current/api-keys": {
    fields: {
      /** The key's name: 1 to 100 characters on one line. */
      name: string;
      /** Days until the key expires, at most 3,650; 0 for never. Default: the workspace's `api_key_expiry_days`. */
      expires_in_days?: number | undefined;
    };
    reply: ApiKeyWithText;
  };
  /** List API keys. */
  "GET /workspaces/current/api-keys": {
    fields: {
      /** Number of the page, counted from 0. Default 0. */
      page?: number | undefined;
      /** Number of items per page, 1 to 100. Default 20. */
      size?: number | undefined;
      /**
       * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
       * costs the same, however deep it is.
       */
      after?: string | undefined;
    };
    reply: PageOf<ApiKey>;
  };
  /** Revoke an API key. */
  "DELETE /workspaces/current/api-keys/{id}": {
    fields: {
      /** The API key's id, a UUID. */
      id: string | number;
    };
    reply: Message;
  };
}
