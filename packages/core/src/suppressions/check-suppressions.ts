import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { mailboxes } from "../mail/submission/send-fields.ts";
import { everyScope, type SuppressionOrigin } from "../ports/storage.ts";
import { findSuppressed } from "./find-suppressed.ts";
import { scopeField } from "./suppression-fields.ts";

/** Whether an address is suppressed. */
export interface SuppressionCheck {
  /** The checked address. */
  email: string;
  /** Whether mail to the address is suppressed. */
  suppressed: boolean;
  /** Origin of the suppression, of the address itself or of its domain. */
  origin: SuppressionOrigin | undefined;
  /** When the suppression was created, ms since the epoch. */
  since: number | undefined;
}

/** Checks which of up to 1,000 addresses are suppressed, by the rules that apply to sending (platform.md P8). */
export const checkSuppressions = useCase({
  access: "suppressions:read",
  reads: true,
  input: z.strictObject({
    emails: mailboxes
      .min(1, "needs at least one address")
      .max(1_000, "takes at most 1,000 addresses")
      .describe("The addresses to check, 1 to 1,000."),
    scope: scopeField
      .default(everyScope)
      .describe("The list that the mail belongs to, or `*` for mail without a list. Default `*`."),
  }),
  async run({ acceptance, workspace, now }, { emails, scope }): Promise<SuppressionCheck[]> {
    const addresses = emails.map(({ address }) => address);
    const list = scope === everyScope ? undefined : scope;
    const found = await findSuppressed(
      acceptance.lookups,
      { workspaceId: workspace.id, list, now },
      addresses,
    );
    return addresses.map((email) => {
      const entry = found.get(email);
      return { email, suppressed: entry !== undefined, origin: entry?.origin, since: entry?.createdAt };
    });
  },
});
