import { createApiKey } from "./create-api-key.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { revokeApiKey } from "./revoke-api-key.ts";

/** API keys, with which programs send. */
export const apiKeys = { create: createApiKey, list: listApiKeys, revoke: revokeApiKey } as const;
