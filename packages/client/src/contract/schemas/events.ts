// Printed by `npm run docs:routes` from the table of routes.

/** `Event` of the API. */
export interface Event {
  /** Its id. */
  id: number;
  /** What the event is about. */
  category: "audit" | "email" | "webhook" | "campaign" | "system";
  /** The type of the event, such as `member.role_updated`. */
  type: string;
  /** The workspace's id. */
  workspace_id: number | null;
  /** The user's id. */
  user_id: number | null;
  /** The user who did it; null where it was the service, the operator or an API key. */
  actor_id: number | null;
  /** Who did it, as a person reads it. */
  actor_name: string;
  /** The address that the caller came from; empty where there was none. */
  client_ip: string;
  /** What happened, in words for people. */
  message: string;
  /** The changes, as JSON text. */
  metadata: string;
  /** When it was made. */
  created_at: string;
}

/** `EventPosition` of the API. */
export interface EventPosition {
  /**
   * The id of the last committed event, 0 if there is none: a stream from here on delivers every later event, and
   * none twice.
   */
  last_id: number;
}
