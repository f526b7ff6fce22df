import { StorageUnsuited } from "@posthorn/core/storage";
import type { Handle } from "@posthorn/storage-sql";
import { runText } from "../engine/run-text.ts";
import { findBehind } from "./find-behind.ts";

/** Checks that every table assigns ids above those it has: after logical replication, what is inserted is refused. */
export const assertSequences = async (db: Handle, schema: string): Promise<void> => {
  const [behind] = await findBehind(schema, (text, values) => runText(db, text, values));
  if (behind === undefined) return;
  throw new StorageUnsuited(
    `the sequence ${schema}.${behind} stands below ids that its table has, as after logical replication, which copies no sequences: run "posthorn restore-check", which moves all of them, or set each as it was in the former database`,
  );
};
