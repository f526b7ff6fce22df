import { z } from "zod";
import { nameField } from "../name-field.ts";

const limit = z
  .int("must be a whole number")
  .min(0, "must not be negative (0 is unlimited)")
  .max(2_147_483_647, "is larger than 2147483647");

/** The fields a plan is made of, each optional (service.md, Plan). */
export const planFields = {
  name: nameField.optional(),
  description: z.string().max(1000, "is longer than 1000 characters").optional(),
  isDefault: z.boolean().optional(),
  isActive: z.boolean().optional(),
  dailyRateLimit: limit.optional(),
  hourlyRateLimit: limit.optional(),
  maxAttachmentSizeMb: limit.optional(),
  maxBatchSize: limit.optional(),
  maxApiKeys: limit.optional(),
  maxDomains: limit.optional(),
  maxSmtpServers: limit.optional(),
  maxWorkspaces: limit.optional(),
  emailLogRetentionDays: limit.optional(),
};

/** The number of a plan. */
export const planId = z.int("must be a plan's number").positive("must be a plan's number");
