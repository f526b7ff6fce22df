import type { z } from "zod";

// In a file of its own: the thread that delivers reads it, and would load zod with `unreadItems`.
const unread = new WeakSet<z.ZodType>();

/** Notes that a list's items are passed on without validation. */
export const markUnread = (item: z.ZodType): unknown => unread.add(item);

/** Whether a list's items are passed on without validation. */
export const isUnread = (item: z.ZodType): boolean => unread.has(item);
