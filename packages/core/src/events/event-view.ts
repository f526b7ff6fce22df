import { z } from "zod";
import type { EventMetadata, EventType } from "../events.ts";
import type { EventCategory, EventRecord, EventSummary } from "../ports/storage.ts";

type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

/** What an event of the type tells, by the library's names. */
type MetadataOf<T extends EventType> = {
  [K in keyof EventMetadata<T> as K extends string ? CamelCase<K> : never]: EventMetadata<T>[K];
};

/**
 * Something that happened: `type` says what stands in `metadata`. Listeners, `followEvents` and lists give it alike (decisions §11).
 * Only listeners, who hear of it before anybody has read it back, have no `id`.
 */
export type ServiceEvent<T extends EventType = EventType> = T extends EventType
  ? EventSummary & {
      /** What happened, such as `email.sent`. */
      type: T;
      /** What else is known of it, by its type. */
      metadata: MetadataOf<T>;
    }
  : never;

/** The same as it stands in the log: its id grows in the order of commits, and is what `after` takes. */
export type LoggedEvent<T extends EventType = EventType> = ServiceEvent<T> & {
  /** The event's number, which grows in the order of commits. */
  id: number;
};

/** The categories of decisions §11. */
export const eventCategory = z.enum([
  "audit",
  "email",
  "webhook",
  "campaign",
  "system",
]) satisfies z.ZodType<EventCategory>;

/** A kept event as it is told. */
export function viewEvent(record: EventRecord): LoggedEvent {
  return { ...viewNewEvent(record), id: record.id };
}

/** An event that nobody has read back yet. */
export function viewNewEvent({
  id: _,
  emailId: __,
  ...event
}: Omit<EventRecord, "id"> & { id?: number }): ServiceEvent {
  const kept = JSON.parse(event.metadata) as Record<string, unknown>;
  const metadata = Object.fromEntries(Object.entries(kept).map(([key, value]) => [camelCase(key), value]));
  return { ...event, metadata } as ServiceEvent;
}

const camelCase = (key: string): string =>
  key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
