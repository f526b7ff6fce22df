import type { Engine, Handle } from "../../engine.ts";
import { loosenContents } from "../content/loosen-contents.ts";
import { loosenSets } from "./attachments/loosen.ts";

/** The columns by which e-mails and campaigns refer to what they say. */
export const references = ["content_id", "stylesheet_set_id", "attachment_set_id"] as const;

/** What a row refers to. */
export type References = Record<(typeof references)[number], number | null>;

/** What it refers to once it says nothing any more. */
export const noReferences: References = {
  content_id: null,
  stylesheet_set_id: null,
  attachment_set_id: null,
};

/** Notes that rows ceased to refer to what they said: pruning looks whether anything else does. */
export async function loosenReferences(
  db: Handle,
  engine: Engine,
  rows: readonly References[],
): Promise<void> {
  await loosenContents(
    db,
    engine,
    "content",
    rows.map((row) => row.content_id),
  );
  await loosenContents(
    db,
    engine,
    "set",
    rows.map((row) => row.stylesheet_set_id),
  );
  await loosenSets(
    db,
    engine,
    rows.map((row) => row.attachment_set_id),
  );
}
