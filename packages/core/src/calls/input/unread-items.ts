import { z } from "zod";
import { markUnread } from "./unread.ts";

/**
 * A list whose items the use case validates itself, by `item`, one after another: validating thousands at once would
 * block the event loop, and one faulty item must not spoil the others. Here they are passed on unchanged; the API's
 * documents describe them like any others.
 */
export function unreadItems<S extends z.ZodType>(item: S): z.ZodArray<z.ZodType<unknown, z.input<S>>> {
  const one = z.nonoptional(item);
  one._zod.parse = (payload) => payload as never;
  one._zod.run = one._zod.parse;
  markUnread(one);
  return z.array(one as unknown as z.ZodType<unknown, z.input<S>>);
}
