import { z } from "zod";
import type { Route } from "./route.ts";
import { routes } from "./routes/index.ts";

/** Returns the fields of an item in the list that a route answers with; none if it answers with something else. */
export function listedFields(signature: string): string[] {
  const found: Pick<Route, "reply" | "envelope"> | undefined = routes.find(
    (one) => one.signature === signature,
  );
  if (found === undefined) return [];
  const { schema } = found.reply;
  const item = found.envelope === "page" ? schema : schema instanceof z.ZodArray ? schema.element : undefined;
  return item instanceof z.ZodObject ? Object.keys(item.shape) : [];
}
