// Printed by `npm run docs:routes` from the table of routes.

/** `ApiKey` of the API. */
export interface ApiKey {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** The key's first characters, to recognise it by. */
  prefix: string;
  /** The user who made it; null once that user is gone. */
  created_by: number | null;
  /** When it was made. */
  created_at: string;
  /** When it ends. */
  expires_at: string | null;
  /** When it was last used, within a minute; null for never. */
  last_used_at: string | null;
}

/** `ApiKeyWithText` of the API. */
export interface ApiKeyWithText {
  /** Its id. */
  id: string;
  /** Its name. */
  name: string;
  /** The key's first characters, to recognise it by. */
  prefix: string;
  /** The user who made it; null once that user is gone. */
  created_by: number | null;
  /** When it was made. */
  created_at: string;
  /** When it ends. */
  expires_at: string | null;
  /** When it was last used, within a minute; null for never. */
  last_used_at: string | null;
  /** The key itself. Shown only here. */
  key: string;
}

/** `Webhook` of the API. */
export interface Webhook {
  /** Its id. */
  id: string;
  /** The URL that events are posted to, by HTTPS. */
  url: string;
  /** The types of events to post, or `*` for all. */
  events: string[];
  /** Senders' addresses or domains whose events are posted; empty for all. */
  filters: string[];
  /** Whether it is in use. */
  is_active: boolean;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
}

/** `WebhookDelivery` of the API. */
export interface WebhookDelivery {
  /** Its id. */
  id: string;
  /** The type of the event. */
  event: string;
  /** The body that was posted; empty for those who may not read it. */
  payload: string;
  /** Whether it was delivered, waits, or was given up. */
  status: "pending" | "delivered" | "failed";
  /** How many attempts were made. */
  attempts: number;
  /** The receiver's HTTP status; null where none came. */
  response_status: number | null;
  /** The beginning of the receiver's answer, at most 4 KiB. */
  response_body: string | null;
  /** How long the last attempt took, in ms. */
  duration_ms: number | null;
  /** Why the last attempt failed; empty where it did not. */
  error: string;
  /** When it is tried next; null once it is settled. */
  due_at: string | null;
  /** When it was made. */
  created_at: string;
  /** When it was settled; null before. */
  settled_at: string | null;
}

/** `WebhookWithSecret` of the API. */
export interface WebhookWithSecret {
  /** Its id. */
  id: string;
  /** The URL that events are posted to, by HTTPS. */
  url: string;
  /** The types of events to post, or `*` for all. */
  events: string[];
  /** Senders' addresses or domains whose events are posted; empty for all. */
  filters: string[];
  /** Whether it is in use. */
  is_active: boolean;
  /** When it was made. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /** The signing secret. Shown only here. */
  secret: string;
}
