import { type Expression, expressionBuilder } from "kysely";
import type { Database } from "../../tables.ts";

/** The plan that holds for a workspace: its own, or the default one; null where there is neither. */
export function planIdOf(own: Expression<number | null>): Expression<number | null> {
  const eb = expressionBuilder<Database>();
  const standard = eb.selectFrom("plans").select("id").where("is_default", "=", true).limit(1);
  return eb.fn.coalesce(own, standard);
}
