import { z } from "zod";
import type { EventCategory, EventRecord } from "../ports/storage.ts";

/** An event as people see it; `metadata` is JSON text (service.md, Audit event). */
export type EventView = EventRecord;

/** The categories of decisions §11. */
export const eventCategory = z.enum([
  "audit",
  "email",
  "webhook",
  "campaign",
  "system",
]) satisfies z.ZodType<EventCategory>;
