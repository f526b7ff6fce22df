import { z } from "zod";
import type { EventMetadata, EventType } from "../events.ts";
import {
  type EventCategory,
  type EventRecord,
  type EventSummary,
  readStoredObject,
} from "../ports/storage.ts";

type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** Metadata of an event type, with keys in camelCase. */
type MetadataOf<T extends EventType> = {
  [K in keyof EventMetadata<T> as K extends string ? CamelCase<K> : never]: EventMetadata<T>[K];
};

/**
 * An event: `type` determines the fields of `metadata`. Listeners, `followEvents` and lists get the same shape
 * (decisions §11). Events for listeners have no `id`, as they come before the row is read back.
 */
export type ServiceEvent<T extends EventType = EventType> = T extends EventType
  ? EventSummary & {
      /** The event's type, such as `email.sent`. */
      type: T;
      /** Details of the event, depending on its type. */
      metadata: MetadataOf<T>;
    }
  : never;

/** An event of the log. Its id is the cursor for `after`. */
export type LoggedEvent<T extends EventType = EventType> = ServiceEvent<T> & {
  /** The event's number. Numbers grow in the order of commits. */
  id: number;
};

/** Categories of events (decisions §11). */
export const eventCategory = z.enum([
  "audit",
  "email",
  "webhook",
  "campaign",
  "system",
]) satisfies z.ZodType<EventCategory>;

/** Returns the view of a stored event. */
export function viewEvent(record: EventRecord): LoggedEvent {
  return { ...viewNewEvent(record), id: record.id };
}

/** Returns the frozen view of a stored event, which several are given. */
export const viewForAll = (record: EventRecord): LoggedEvent => freeze(viewEvent(record));

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  Object.values(value).forEach(freeze);
  return Object.freeze(value);
}

/** Returns the view of an event that has no id yet. */
export function viewNewEvent({
  id: _,
  emailId: __,
  ...event
}: Omit<EventRecord, "id"> & { id?: number }): ServiceEvent {
  const kept = readStoredObject(event.metadata);
  const metadata = Object.fromEntries(Object.entries(kept).map(([key, value]) => [camelCase(key), value]));
  return { ...event, metadata } as ServiceEvent;
}

const camelCase = (key: string): string =>
  key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
