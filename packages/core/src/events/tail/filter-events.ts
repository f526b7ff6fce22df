import type { EventFilter, EventRecord } from "../../ports/storage.ts";

/** A filter that excludes nothing. */
export const allEvents: EventFilter = { workspaceId: "all" };

/** Returns a text that is the same for filters that match the same events. */
export const keyOfFilter = ({ workspaceId, userId, category, type, since }: EventFilter): string =>
  JSON.stringify([workspaceId, userId ?? null, category ?? null, type ?? null, since ?? null]);

/** Whether a filter matches an event, as the storage would decide. */
export const isMatch = (
  event: EventRecord,
  { workspaceId, userId, category, type, since }: EventFilter,
): boolean =>
  (workspaceId === "all" || event.workspaceId === workspaceId) &&
  (userId === undefined || event.userId === userId) &&
  (category === undefined || event.category === category) &&
  (type === undefined || event.type === type) &&
  (since === undefined || event.createdAt >= since);
