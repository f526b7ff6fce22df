import { z } from "zod";
import { nameField } from "../../calls/input/name-field.ts";

const limit = z
  .int("must be a whole number")
  .min(0, "must not be negative (0 is unlimited)")
  .max(2_147_483_647, "is larger than 2147483647");

/** Fields of a plan, all optional (service.md, Plan). */
export const planFields = {
  name: nameField.optional().describe("The plan's name: unique, 1 to 100 characters on one line."),
  description: z
    .string()
    .max(1000, "is longer than 1000 characters")
    .optional()
    .describe("A description of at most 1,000 characters."),
  isDefault: z
    .boolean()
    .optional()
    .describe(
      "Whether the plan applies to everyone without an assigned plan. It replaces the previous default plan.",
    ),
  isActive: z
    .boolean()
    .optional()
    .describe("Whether the plan can be assigned. Existing assignments of an inactive plan stay."),
  dailyRateLimit: limit
    .optional()
    .describe("Maximum recipients per day (UTC) and workspace. 0 is unlimited."),
  hourlyRateLimit: limit.optional().describe("Maximum recipients per hour and workspace. 0 is unlimited."),
  maxAttachmentSizeMb: limit.optional().describe("Maximum size of an attachment in MB. 0 is unlimited."),
  maxBatchSize: limit.optional().describe("Maximum recipients of a batch. 0 is unlimited."),
  maxApiKeys: limit.optional().describe("Maximum API keys per workspace. 0 is unlimited."),
  maxDomains: limit.optional().describe("Maximum sending domains per workspace. 0 is unlimited."),
  maxSmtpServers: limit.optional().describe("Maximum SMTP servers per workspace. 0 is unlimited."),
  maxWorkspaces: limit.optional().describe("Maximum workspaces that a user may own. 0 is unlimited."),
  emailLogRetentionDays: limit
    .optional()
    .describe("Retention period of the e-mail log in days. 0 is unlimited."),
};

/** The plan's number. */
export const planId = z
  .int("must be a plan's number")
  .positive("must be a plan's number")
  .describe("The plan's number.");
