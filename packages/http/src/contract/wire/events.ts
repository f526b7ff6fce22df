import type { EventPosition, LoggedEvent } from "@posthorn/core";
import { snakeCase } from "@posthorn/core/internal";
import { z } from "zod";
import { wire } from "../route.ts";
import { integer, named, time, timestamp } from "./schemas.ts";

/** An audit event, also as the event stream sends it (service.md, Audit event). */
export const eventWire = wire(
  named(
    "Event",
    z.object({
      id: integer,
      category: z.enum(["audit", "email", "webhook", "campaign", "system"]),
      type: z.string(),
      workspace_id: integer.nullable(),
      user_id: integer.nullable(),
      actor_id: integer.nullable(),
      actor_name: z.string(),
      client_ip: z.string(),
      message: z.string(),
      metadata: z.string(),
      created_at: timestamp,
    }),
  ),
  (event: LoggedEvent) => ({
    id: event.id,
    category: event.category,
    type: event.type,
    workspace_id: event.workspaceId ?? null,
    user_id: event.userId ?? null,
    actor_id: event.actorId ?? null,
    actor_name: event.actorName,
    client_ip: event.clientIp,
    message: event.message,
    metadata: JSON.stringify(snakeKeys(event.metadata)),
    created_at: time(event.createdAt),
  }),
);

/** Position of the latest event in the log. */
export const eventPositionWire = wire(
  named("EventPosition", z.object({ last_id: integer })),
  ({ lastId }: EventPosition) => ({ last_id: lastId }),
);

/** Converts only the top-level keys: callers may have named those below. */
const snakeKeys = (metadata: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(metadata).map(([key, value]) => [snakeCase(key), value]));
