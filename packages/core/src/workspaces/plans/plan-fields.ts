import { z } from "zod";
import { nameField } from "../../calls/name-field.ts";

const limit = z
  .int("must be a whole number")
  .min(0, "must not be negative (0 is unlimited)")
  .max(2_147_483_647, "is larger than 2147483647");

/** The fields a plan is made of, each optional (service.md, Plan). */
export const planFields = {
  name: nameField.optional().describe("Unique; 1 to 100 characters on one line."),
  description: z
    .string()
    .max(1000, "is longer than 1000 characters")
    .optional()
    .describe("For people; at most 1,000 characters."),
  isDefault: z
    .boolean()
    .optional()
    .describe("Whether it governs whoever has no plan assigned. The former default plan is unset."),
  isActive: z.boolean().optional().describe("Whether it can be assigned. Who has an inactive plan keeps it."),
  dailyRateLimit: limit
    .optional()
    .describe("Recipients a day (UTC) that a workspace may send to. 0 is unlimited."),
  hourlyRateLimit: limit
    .optional()
    .describe("Recipients an hour that a workspace may send to. 0 is unlimited."),
  maxAttachmentSizeMb: limit.optional().describe("Largest attachment, MB. 0 is unlimited."),
  maxBatchSize: limit.optional().describe("Most recipients of a batch. 0 is unlimited."),
  maxApiKeys: limit.optional().describe("Most API keys of a workspace. 0 is unlimited."),
  maxDomains: limit.optional().describe("Most sending domains of a workspace. 0 is unlimited."),
  maxSmtpServers: limit.optional().describe("Most SMTP servers of a workspace. 0 is unlimited."),
  maxWorkspaces: limit.optional().describe("Most workspaces that a user may own. 0 is unlimited."),
  emailLogRetentionDays: limit.optional().describe("Days that the e-mail log is kept. 0 is unlimited."),
};

/** The number of a plan. */
export const planId = z
  .int("must be a plan's number")
  .positive("must be a plan's number")
  .describe("The plan's number.");
