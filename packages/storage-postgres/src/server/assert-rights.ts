import type { Handle } from "@posthorn/storage-sql";
import { sql } from "kysely";
import { runText } from "../engine/run-text.ts";
import { neededRights } from "./explain-rights.ts";
import { findBarred } from "./find-barred.ts";

/**
 * Checks that the role may read and change every table, and take numbers from every sequence: one that does not migrate
 * lacks the rights on new ones until somebody grants them, and what needs these would fail behind a service that is
 * ready. Throws with the SQLSTATE of missing rights.
 */
export const assertRights = async (db: Handle, schema: string): Promise<void> => {
  const [lacking] = await findBarred(schema, (text, values) => runText(db, text, values));
  if (lacking === undefined) return;
  const { rows } = await sql<{ role: string }>`select current_user::text as role`.execute(db);
  const words = `the role ${rows[0]?.role} may not read and change ${schema}.${lacking}: grant it ${neededRights}`;
  throw Object.assign(new Error(words), { code: "42501" });
};
