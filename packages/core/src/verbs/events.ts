// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { OutputOf } from "../use-case.ts";
import type { listEvents } from "../use-cases/events/list-events.ts";
import type { CallShapes } from "./call-options.ts";

/** What `list` takes. */
export interface ListEventsInput {
  page?: number | undefined;
  size?: number | undefined;
  category?: "audit" | "email" | "webhook" | "campaign" | "system" | undefined;
  type?: string | undefined;
  workspaceId?: number | undefined;
  since?: string | undefined;
}

/** The platform's events. */
export interface EventsVerbs<K extends CallShapes = CallShapes> {
  /** Everything that happened on the platform, newest first (service.md, Audit logs and events). */
  list(input?: ListEventsInput, ...call: K["any"]): Promise<OutputOf<typeof listEvents>>;
}
