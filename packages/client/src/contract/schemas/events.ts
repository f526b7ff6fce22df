// Printed by `npm run docs:routes` from the table of routes.

/** `Event` of the API. */
export interface Event {
  /** Id. */
  id: number;
  /** Category of the event. */
  category: "audit" | "email" | "webhook" | "campaign" | "system";
  /** Type of the event, such as `member.role_updated`. */
  type: string;
  /** The workspace's id. */
  workspace_id: number | null;
  /** The user's id. */
  user_id: number | null;
  /** Id of the user who acted; null if the service, the operator or an API key did. */
  actor_id: number | null;
  /** Name of the user, program or operator that acted. */
  actor_name: string;
  /** IP address of the caller; empty if there was none. */
  client_ip: string;
  /** Description of what happened, for people. */
  message: string;
  /** The changes, as JSON text. */
  metadata: string;
  /** Time of creation. */
  created_at: string;
}

/** `EventPosition` of the API. */
export interface EventPosition {
  /**
   * Id of the last committed event, 0 if there is none: a stream that starts here delivers every later event, and
   * none twice.
   */
  last_id: number;
}
