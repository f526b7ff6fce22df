import type { Engine, Handle } from "../../../engine.ts";
import type { CampaignsTable } from "../../../tables.ts";
import { loosenContents } from "../../content/loosen-contents.ts";
import { loosenSets } from "../attachments/loosen.ts";

/** What a campaign refers to. */
type References = Pick<CampaignsTable, "content_id" | "stylesheet_set_id" | "attachment_set_id">;

/** Notes that campaigns ceased to refer to what they said: pruning looks whether anything else does. */
export async function loosenCampaigns(
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
