import type { Engine, Handle } from "../../engine.ts";
import { markContentsForPruning } from "../content/mark-contents-for-pruning.ts";
import { markFilesForPruning } from "./attachments/mark-for-pruning.ts";

/** The columns by which e-mails and campaigns refer to their contents. */
export const references = ["content_id", "stylesheet_set_id", "attachment_set_id"] as const;

/** A row's references. */
export type References = Record<(typeof references)[number], number | null>;

/** The references of a row without contents. */
export const noReferences: References = {
  content_id: null,
  stylesheet_set_id: null,
  attachment_set_id: null,
};

/** Records that rows dropped their references: pruning checks whether others are left. */
export async function markReferencesForPruning(
  db: Handle,
  engine: Engine,
  rows: readonly References[],
): Promise<void> {
  await markContentsForPruning(
    db,
    engine,
    "content",
    rows.map((row) => row.content_id),
  );
  await markContentsForPruning(
    db,
    engine,
    "set",
    rows.map((row) => row.stylesheet_set_id),
  );
  await markFilesForPruning(db, engine, "set", { ids: rows.map((row) => row.attachment_set_id), checkAt: 0 });
}
