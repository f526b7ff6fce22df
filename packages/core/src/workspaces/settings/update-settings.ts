import { z } from "zod";
import { changesOf } from "../../calls/changes-of.ts";
import { atLeastOne } from "../../calls/input/at-least-one.ts";
import { linePattern, timeZonePattern } from "../../calls/input/text-patterns.ts";
import { orNotFound } from "../../calls/or-not-found.ts";
import { useCase } from "../../calls/use-case.ts";
import { fieldError } from "../../errors.ts";
import { emailAddress } from "../../identity/email-address.ts";
import type { Repositories, Settings } from "../../ports/storage.ts";
import { isSafeName } from "../../rules/addresses.ts";
import { timeZoneNamed } from "../../rules/time-zones.ts";
import { findLogDays, settingsInForce } from "./settings-in-force.ts";

const flag = z.boolean("must be true or false").optional();
const whole = z.int("must be a whole number");

const input = z
  .strictObject({
    timezone: z
      .string()
      .transform((name, context): string => {
        const zone = timeZoneNamed(name);
        if (zone !== undefined) return zone;
        context.addIssue({ code: "custom", message: 'is not an IANA time zone such as "Europe/Paris"' });
        return z.NEVER;
      })
      .meta({ pattern: timeZonePattern, maxLength: 64 })
      .optional()
      .describe("IANA time zone for display and reports. New workspaces have UTC."),
    defaultSenderName: z
      .string()
      .trim()
      .refine(isSafeName, "must be a single line of at most 200 characters, without control characters")
      .meta({ pattern: linePattern, maxLength: 200 })
      .optional()
      .describe("Default sender's name, for requests without `from`."),
    defaultSenderEmail: z
      .union([z.literal(""), emailAddress], noAddress())
      .optional()
      .describe("Default sender's address, for requests without `from`; empty for the server's own."),
    webhookRetryCount: whole
      .min(0, "must be 0 to 10")
      .max(10, "must be 0 to 10")
      .optional()
      .describe("Maximum retries of a webhook delivery after the first attempt, 0 to 10."),
    apiKeyExpiryDays: whole
      .min(0, "must be 0 (never) to 3650 days")
      .max(3650, "must be 0 (never) to 3650 days")
      .optional()
      .describe("Default days until a new API key expires; 0 for never."),
    dkimRotationDays: whole
      .min(0, "must be 0 (never) to 3650 days")
      .max(3650, "must be 0 (never) to 3650 days")
      .optional()
      .describe(
        "Days after which a domain's signing key is replaced by the next one, once that is published; 0 for never.",
      ),
    contentRetentionDays: whole
      .min(0, "must be 0 (as the log) to 3650 days")
      .max(3650, "must be 0 (as the log) to 3650 days")
      .optional()
      .describe(
        "Retention period, in days, of the content of settled e-mails: template values, content and files. Their lines of the log stay. At most the plan's retention period of the log; 0 for the same period.",
      ),
    bounceAutoSuppress: flag.describe("Whether addresses are suppressed after a hard bounce or a complaint."),
    requireVerifiedDomain: flag.describe("Whether the workspace may send only from its verified domains."),
    platformServer: flag.describe(
      "Whether the operator's server delivers mail that none of the workspace's own servers handles. New workspaces: true.",
    ),
    trackOpens: flag.describe(
      "Whether the opening of e-mails is recorded, unless a send says otherwise. New workspaces: false.",
    ),
    trackClicks: flag.describe(
      "Whether clicks on links in e-mails are recorded, unless a send says otherwise. New workspaces: false.",
    ),
    trackingDetails: flag.describe(
      "Whether the full address and user agent of the last opening and click are stored, instead of a part of the address. New workspaces: false.",
    ),
    trackingTrap: flag.describe(
      "Whether e-mails with tracked links contain a hidden one that only machines follow. New workspaces: false.",
    ),
  })
  .apply(atLeastOne);

/** Changes the given settings of the workspace and returns all of them (service.md, Workspace settings). */
export const updateSettings = useCase({
  access: "settings:write",
  // The lock makes the event report the actual change.
  locksWorkspace: true,
  input,
  async run({ storage, workspace, now, emit, wake }, given): Promise<Settings> {
    const stored = orNotFound(await storage.settings.find(workspace.id));
    const before = await settingsInForce(storage, stored);
    // What is given as it was is not written: a period that a plan shortens is in force again under the next one.
    const fields = Object.fromEntries(
      Object.entries(given).filter(
        ([name, value]) => value !== undefined && value !== before[name as keyof Settings],
      ),
    ) as Partial<Settings>;
    await assertWithinLog(storage, workspace.id, fields.contentRetentionDays);
    const changes = changesOf(before, fields);
    if (Object.keys(changes).length === 0) return before;
    const updated = orNotFound(await storage.settings.update(workspace.id, { ...fields, updatedAt: now }));
    if (updated.platformServer !== before.platformServer) {
      // E-mails that no server took may now go.
      await storage.emailQueue.unparkServers(workspace.id);
      wake("emails");
    }
    emit("settings.updated", { metadata: { changes } });
    return settingsInForce(storage, updated);
  },
});

/** Refuses to keep content for longer than its line of the log, which owns the content. */
async function assertWithinLog(
  storage: Pick<Repositories, "plans" | "workspaces">,
  workspaceId: number,
  days = 0,
): Promise<void> {
  if (days === 0) return;
  const most = await findLogDays(storage, workspaceId);
  if (most > 0 && days > most)
    throw fieldError("contentRetentionDays", `must be at most the ${most} days that the plan keeps the log`);
}

function noAddress(): { error: string } {
  return { error: 'is neither empty nor an e-mail address such as "ada@example.com"' };
}
