import { z } from "zod";
import { anyText } from "../calls/input/any-text.ts";
import { type ReadContext, useCase } from "../calls/use-case.ts";
import { applyUnsubscription } from "./apply-unsubscription.ts";
import type { InboundReportView } from "./report-view.ts";
import { readInboundAddress } from "./rules/inbound-address.ts";
import { tokensInAddresses } from "./rules/report-token.ts";
import { readReport } from "./rules/reports/read-report.ts";
import { storeReport } from "./store-report.ts";

/**
 * Whether this service made the address. A valid signature suffices, whatever the domain: the former return path of a
 * sending domain still receives late reports.
 */
async function isOurs(
  { runtime: { config, reportTokens }, storage }: Pick<ReadContext, "runtime" | "storage">,
  address: string,
): Promise<boolean> {
  const found = readInboundAddress(address);
  if (found === undefined) return false;
  if (found.kind !== "complaint") return reportTokens.read(found.token) !== undefined;
  return found.domain === config.returnPathDomain || (await storage.domains.isReturnPath(found.domain));
}

/**
 * Checks whether mail for an address is accepted here: a return path that this service made, an address for unsubscribing, or
 * the one for complaints at a domain whose mail comes back here (platform.md P7, P10).
 */
export const knowsAddress = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({
    address: anyText(z.string().max(998).describe("The address as given to the mail server.")),
  }),
  run: (context, { address }): Promise<boolean> => isOurs(context, address),
});

/**
 * Processes a message received by mail, for any workspace that it concerns. Anyone may send one: without a signed token
 * it is recorded at most, and suppresses nobody (platform.md P7). Mail to an address for unsubscribing does that, and
 * is no report (platform.md P10).
 */
export const receiveMessage = useCase({
  access: "administrator",
  input: z.strictObject({
    message: anyText(
      z
        .string()
        .max(1_048_576, "is longer than 1 MiB")
        .describe("The message, one character per byte. At most 1 MiB."),
    ),
    recipients: z
      .array(anyText(z.string().max(998)))
      .max(100, "takes at most 100 addresses")
      .describe("The addresses that it was sent to; at most 100."),
  }),
  async run(context, { message: raw, recipients }): Promise<InboundReportView> {
    const report = readReport(raw);
    const addresses = recipients.flatMap((address) => readInboundAddress(address) ?? []);
    // Notifications and complaints are no request to unsubscribe. A mail that calls itself automatic is: mail clients send it
    // at a click, and automatic replies go to the return path (RFC 3834).
    if (report.kind !== "notification" && report.kind !== "complaint")
      for (const one of addresses)
        if (one.kind === "unsubscription") await applyUnsubscription(context, { ...one, message: raw });
    const { tokens, emailIds } = report.mentions;
    const mentions = { tokens: [...recipients.flatMap(tokensInAddresses).slice(0, 5), ...tokens], emailIds };
    return storeReport(context, {
      kind: report.kind,
      source: "dsn",
      findings: report.findings,
      mentions,
      workspaceId: undefined,
      isAuthenticated: false,
      raw,
    });
  },
});
