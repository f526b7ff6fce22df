// Printed by `npm run verbs`. Do not edit.
export const apiKeysWords = {
  "apiKeys.create":
    "Creates an API key, within the plan's `max_api_keys`. The owner's address must be verified. The key's text is returned only here (decisions §8).",
  "apiKeys.list": "Lists the workspace's unrevoked keys, newest first (decisions §8).",
  "apiKeys.revoke": "Revokes a key. It is refused from the next request on (decisions §8).",
};
