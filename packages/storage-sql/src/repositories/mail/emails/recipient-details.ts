import { sql } from "kysely";
import type { Handle } from "../../../engine.ts";

/** Recipients (`r`), each with its bounce and its complaint. */
export const selectDetails = (db: Handle) =>
  db
    .selectFrom("email_recipients as r")
    .leftJoin("recipient_reports as b", (join) =>
      join
        .onRef("b.email_id", "=", "r.email_id")
        .onRef("b.position", "=", "r.position")
        .on("b.kind", "=", sql.lit("bounce")),
    )
    .leftJoin("recipient_reports as c", (join) =>
      join
        .onRef("c.email_id", "=", "r.email_id")
        .onRef("c.position", "=", "r.position")
        .on("c.kind", "=", sql.lit("complaint")),
    )
    .selectAll("r")
    .select([
      "b.bounce_class",
      "b.category",
      "b.enhanced_code",
      "b.at as bounced_at",
      "c.at as complained_at",
    ]);
