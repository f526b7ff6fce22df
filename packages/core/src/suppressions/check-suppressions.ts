import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { mailbox } from "../mail/submission/send-fields.ts";
import { everyScope, type SuppressionOrigin } from "../ports/storage.ts";
import { findSuppressed } from "./find-suppressed.ts";
import { scopeField } from "./suppression-fields.ts";

/** Whether a mail would reach an address. */
export interface SuppressionCheck {
  /** The address that was asked for. */
  email: string;
  /** Whether nothing is sent there. */
  suppressed: boolean;
  /** What suppresses it: its own entry, or its domain's. */
  origin: SuppressionOrigin | undefined;
  /** Since when, ms since the epoch. */
  since: number | undefined;
}

/** Checks which of up to 1,000 addresses are suppressed, as a send would find them (platform.md P8). */
export const checkSuppressions = useCase({
  access: "suppressions:read",
  reads: true,
  input: z.strictObject({
    emails: z
      .array(mailbox)
      .min(1, "needs at least one address")
      .max(1_000, "takes at most 1,000 addresses")
      .describe("The addresses to check, 1 to 1,000."),
    scope: scopeField
      .default(everyScope)
      .describe("The list that the mail belongs to, or `*` for mail without a list. Default `*`."),
  }),
  async run({ sending, workspace, now }, { emails, scope }): Promise<SuppressionCheck[]> {
    const addresses = emails.map(({ address }) => address);
    const list = scope === everyScope ? undefined : scope;
    const found = await findSuppressed(sending.lookups, { workspaceId: workspace.id, list, now }, addresses);
    return addresses.map((email) => {
      const entry = found.get(email);
      return { email, suppressed: entry !== undefined, origin: entry?.origin, since: entry?.createdAt };
    });
  },
});
