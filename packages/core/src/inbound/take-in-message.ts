import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { addressKey } from "../rules/addresses.ts";
import type { Runtime } from "../service/runtime.ts";
import { keepReport } from "./keep-report.ts";
import { kindOf } from "./kind-of.ts";
import type { InboundReportView } from "./report-view.ts";
import { readReport } from "./rules/read-report.ts";
import { tokensInAddresses } from "./rules/report-token.ts";

/** The local part that complaints may be sent to (platform.md P7). */
const complaintsTo = "fbl";

/** Whether an address is a return path that this service made, or the one for complaints. */
export function isInboundAddress(
  { config, reportTokens }: Pick<Runtime, "config" | "reportTokens">,
  address: string,
): boolean {
  const key = addressKey(address);
  const { returnPathDomain } = config;
  if (returnPathDomain === undefined || !key.endsWith(`@${returnPathDomain}`)) return false;
  if (key === `${complaintsTo}@${returnPathDomain}`) return true;
  return tokensInAddresses(key).some((token) => reportTokens.read(token) !== undefined);
}

/** Whether mail for an address is taken in here: a return path that this service made, or the one for complaints (platform.md P7). */
export const knowsAddress = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({
    address: z.string().max(998).describe("The address as a mail server was given it."),
  }),
  run: async ({ runtime }, { address }): Promise<boolean> => isInboundAddress(runtime, address),
});

/**
 * Takes in a message that came by mail, for whichever workspace it is about. Anybody may send one: without a signed token it is noted at
 * most, and suppresses nobody (platform.md P7).
 */
export const takeInMessage = useCase({
  access: "administrator",
  input: z.strictObject({
    message: z
      .string()
      .max(1_048_576, "is longer than 1 MiB")
      .describe("The message, one character a byte. At most 1 MiB."),
    recipients: z
      .array(z.string().max(998))
      .max(100, "takes at most 100 addresses")
      .describe("The addresses that it was sent to; at most 100."),
  }),
  async run(context, { message: raw, recipients }): Promise<InboundReportView> {
    const report = readReport(raw);
    const { tokens, emailIds } = report.mentions;
    const mentions = { tokens: [...recipients.flatMap(tokensInAddresses).slice(0, 5), ...tokens], emailIds };
    return keepReport(context, {
      kind: kindOf(report),
      source: report.kind === "feedback" ? "arf" : "dsn",
      findings: report.findings,
      mentions,
      workspaceId: undefined,
      isAuthenticated: false,
      raw,
    });
  },
});
