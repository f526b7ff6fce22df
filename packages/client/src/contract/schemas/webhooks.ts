// Printed by `npm run docs:routes` from the table of routes.

/** `ApiKey` of the API. */
export interface ApiKey {
  /** Id. */
  id: string;
  /** Name. */
  name: string;
  /** First characters of the key, for recognition. */
  prefix: string;
  /** Id of the user who created it; null once that user is deleted. */
  created_by: number | null;
  /** Time of creation. */
  created_at: string;
  /** Time of expiry. */
  expires_at: string | null;
  /** Time of the last use, to the minute; null for never. */
  last_used_at: string | null;
}

/** `ApiKeyWithText` of the API. */
export interface ApiKeyWithText {
  /** Id. */
  id: string;
  /** Name. */
  name: string;
  /** First characters of the key, for recognition. */
  prefix: string;
  /** Id of the user who created it; null once that user is deleted. */
  created_by: number | null;
  /** Time of creation. */
  created_at: string;
  /** Time of expiry. */
  expires_at: string | null;
  /** Time of the last use, to the minute; null for never. */
  last_used_at: string | null;
  /** The key itself, shown only once. */
  key: string;
}

/** `Webhook` of the API. */
export interface Webhook {
  /** Id. */
  id: string;
  /** HTTPS URL that events are posted to. */
  url: string;
  /** Types of events to post, or `*` for all. */
  events: string[];
  /** Sender addresses or domains whose events are posted; empty for all. */
  filters: string[];
  /** Whether it is in use. */
  is_active: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

/** `WebhookDelivery` of the API. */
export interface WebhookDelivery {
  /** Id. */
  id: string;
  /** Type of the event. */
  event: string;
  /** Posted body; empty for callers who may not read it. */
  payload: string;
  /** Whether it was delivered, waits, or failed for good. */
  status: "pending" | "delivered" | "failed";
  /** Number of attempts made. */
  attempts: number;
  /** HTTP status of the receiver's response; null if there was none. */
  response_status: number | null;
  /** Beginning of the receiver's response, at most 4 KiB. */
  response_body: string | null;
  /** Duration of the last attempt in ms. */
  duration_ms: number | null;
  /** Why the last attempt failed; empty if it did not. */
  error: string;
  /** Time of the next attempt; null once settled. */
  due_at: string | null;
  /** Time of creation. */
  created_at: string;
  /** Time at which it was settled; null before. */
  settled_at: string | null;
}

/** `WebhookWithSecret` of the API. */
export interface WebhookWithSecret {
  /** Id. */
  id: string;
  /** HTTPS URL that events are posted to. */
  url: string;
  /** Types of events to post, or `*` for all. */
  events: string[];
  /** Sender addresses or domains whose events are posted; empty for all. */
  filters: string[];
  /** Whether it is in use. */
  is_active: boolean;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
  /** Signing secret, shown only once. */
  secret: string;
}
