import { accounts } from "./0001-accounts.ts";
import { workspaces } from "./0002-workspaces.ts";
import { templates } from "./0003-templates.ts";
import { emails } from "./0004-emails.ts";
import { events } from "./0005-events.ts";
import { campaigns } from "./0006-campaigns.ts";
import type { Migration } from "./migration.ts";

/** Every migration by its name, in the order they run in. A landed one is never edited. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-accounts": accounts,
  "0002-workspaces": workspaces,
  "0003-templates": templates,
  "0004-emails": emails,
  "0005-events": events,
  "0006-campaigns": campaigns,
};
