import { z } from "zod";
import { isSafeName } from "../../domain/addresses.ts";
import { isTimeZone } from "../../domain/time-zones.ts";
import { ServiceError } from "../../errors.ts";
import type { Settings } from "../../ports/storage.ts";
import { useCase } from "../../use-case.ts";
import { atLeastOne } from "../at-least-one.ts";
import { changesOf } from "../changes-of.ts";
import { emailAddress } from "../email-address.ts";

const flag = z.boolean("must be true or false").optional();
const whole = z.int("must be a whole number");

const input = z
  .strictObject({
    timezone: z.string().refine(isTimeZone, 'is not an IANA time zone such as "Europe/Paris"').optional(),
    defaultSenderName: z
      .string()
      .trim()
      .refine(isSafeName, "must be a single line of at most 200 characters, without control characters")
      .optional(),
    defaultSenderEmail: z.union([z.literal(""), emailAddress], noAddress()).optional(),
    webhookRetryCount: whole.min(0, "must be 0 to 10").max(10, "must be 0 to 10").optional(),
    apiKeyExpiryDays: whole
      .min(0, "must be 0 (never) to 3650 days")
      .max(3650, "must be 0 (never) to 3650 days")
      .optional(),
    bounceAutoSuppress: flag,
    requireVerifiedDomain: flag,
  })
  .superRefine(atLeastOne());

/** Changes the given settings of the workspace; answers all of them (service.md, Workspace settings). */
export const updateSettings = useCase({
  access: "settings:write",
  // So that the event tells what really changed.
  locksWorkspace: true,
  input,
  async run({ storage, workspace, now, emit }, given): Promise<Settings> {
    const before = await storage.settings.find(workspace.id);
    if (before === undefined) throw new ServiceError("not_found");
    const fields = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as Partial<Settings>;
    const changes = changesOf(before, fields);
    if (Object.keys(changes).length === 0) return before;
    const updated = await storage.settings.update(workspace.id, { ...fields, updatedAt: now });
    if (updated === undefined) throw new ServiceError("not_found");
    emit("settings.updated", { metadata: { changes } });
    return updated;
  },
});

function noAddress(): { error: string } {
  return { error: 'is neither empty nor an e-mail address such as "ada@example.com"' };
}
