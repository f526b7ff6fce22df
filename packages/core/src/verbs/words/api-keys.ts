// Printed by `npm run verbs`. Do not edit.
export const apiKeysWords = {
  "apiKeys.create":
    "Creates a key for sending, if the owner's address is verified, within the plan's `max_api_keys`; its text is returned only once (decisions §8).",
  "apiKeys.list": "The workspace's unrevoked keys, newest first (decisions §8).",
  "apiKeys.revoke": "Revokes a key: it is refused from the next request on (decisions §8).",
};
