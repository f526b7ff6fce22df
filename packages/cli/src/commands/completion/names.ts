import { webhookEventTypes } from "@posthorn/core/internal";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { openProfiles, profilesFile } from "../../program/settings/profiles.ts";
import { type Listed, type ListSignature, listItems } from "../../program/verbs/find-listed.ts";
import * as things from "../../program/verbs/listed-things.ts";
import { safeText } from "../../terminal/safe-text.ts";

/** Source of names: a route, and the field to complete. */
type Source = (context: CommandContext, workspace: string | undefined) => Promise<string[]>;

const inWorkspace =
  <S extends ListSignature>(listed: Listed<S>): Source =>
  async (context, workspace) =>
    namesOf(listed, await listItems(listed, await context.inWorkspace(workspace)));

const everywhere =
  <S extends ListSignature>(listed: Listed<S>): Source =>
  async (context) =>
    namesOf(listed, await listItems(listed, await context.api()));

/** The id comes first, then the name. */
const namesOf = <S extends ListSignature>(
  { names }: Listed<S>,
  items: Parameters<Listed<S>["names"]>[0][],
): string[] => items.flatMap((item) => names(item)[1] ?? []);

const sources: Readonly<Record<string, Source>> = {
  templates: inWorkspace(things.templates),
  stylesheets: inWorkspace(things.stylesheets),
  campaigns: inWorkspace(things.campaigns),
  domains: inWorkspace(things.domains),
  "smtp-servers": inWorkspace(things.smtpServers),
  "inbound-endpoints": inWorkspace(things.inboundEndpoints),
  webhooks: inWorkspace(things.webhooks),
  members: inWorkspace(things.members),
  "api-keys": inWorkspace(things.apiKeys),
  invitations: inWorkspace(things.invitations),
  users: everywhere(things.users),
  plans: everywhere(things.plans),
  workspaces: async (context) => {
    const api = await context.api();
    const asks = api.kind === "database" ? "GET /admin/workspaces" : "GET /workspaces";
    return (await listItems({ asks, isPaged: true }, api)).map(({ name }) => name);
  },
  "event-types": async () => [...webhookEventTypes],
  profiles: async () => Object.keys(openProfiles(profilesFile()).all()),
};

/** How long a shell waits at Tab. */
const patienceMs = 1_000;

/**
 * Writes the names of a kind, one per line, for shell completion. Errors are suppressed: they must not appear while a
 * line is edited. A server or database that does not answer within a second has no names: the process ends.
 */
export async function names(
  context: CommandContext,
  kind: string,
  { workspace }: { workspace?: string },
): Promise<void> {
  const source = Object.hasOwn(sources, kind) ? sources[kind] : undefined;
  const timer = setTimeout(() => process.exit(0), patienceMs);
  const found = (await source?.(context, workspace).catch(() => [])) ?? [];
  clearTimeout(timer);
  if (found.length > 0) context.output.data(found.map(safeText).join("\n"));
}
