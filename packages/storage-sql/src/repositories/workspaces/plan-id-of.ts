import { type Expression, expressionBuilder } from "kysely";
import type { Database } from "../../tables.ts";

/** A workspace's plan: its own, or the default one; null if there is neither. */
export function planIdOf(own: Expression<number | null>): Expression<number | null> {
  const eb = expressionBuilder<Database>();
  const standard = eb.selectFrom("plans").select("id").where("is_default", "=", true).limit(1);
  return eb.fn.coalesce(own, standard);
}
