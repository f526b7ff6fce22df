import type { EventRecord } from "@posthorn/core";
import { z } from "zod";
import { wire } from "../route.ts";
import { integer, named, time, timestamp } from "./schemas.ts";

/** An audit event, and what the stream tells (service.md, Audit event). */
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
  (event: EventRecord) => ({
    id: event.id,
    category: event.category,
    type: event.type,
    workspace_id: event.workspaceId ?? null,
    user_id: event.userId ?? null,
    actor_id: event.actorId ?? null,
    actor_name: event.actorName,
    client_ip: event.clientIp,
    message: event.message,
    metadata: event.metadata,
    created_at: time(event.createdAt),
  }),
);
