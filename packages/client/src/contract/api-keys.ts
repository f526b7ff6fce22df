// Printed by `npm run docs:routes` from the table of routes.
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
    fields: Record<never, never>;
    reply: ApiKey[];
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
