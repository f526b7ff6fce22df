import { z } from "zod";

const unread = new WeakSet<z.ZodType>();

/** Whether a list's items are handed over as they came. */
export const isUnread = (schema: z.ZodType): boolean => unread.has(schema);

/**
 * A list whose use case reads the items itself, by `item`, one after another: thousands at once would hold up everybody, and a faulty one
 * need not spoil the others. Here they are handed over as they came; references tell of them as of any others.
 */
export function unreadItems<S extends z.ZodType>(item: S): z.ZodArray<z.ZodType<unknown, z.input<S>>> {
  const one = z.nonoptional(item);
  one._zod.parse = (payload) => payload as never;
  one._zod.run = one._zod.parse;
  unread.add(one);
  return z.array(one as unknown as z.ZodType<unknown, z.input<S>>);
}
