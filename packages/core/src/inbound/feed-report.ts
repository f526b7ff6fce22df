import { z } from "zod";
import { callerKey } from "../calls/caller-key.ts";
import { anyText } from "../calls/input/any-text.ts";
import { useCase } from "../calls/use-case.ts";
import { ServiceError } from "../errors.ts";
import { digest } from "../rules/tokens.ts";
import { type InboundReportView, viewReport } from "./report-view.ts";
import { readReport } from "./rules/reports/read-report.ts";
import { storeReport } from "./store-report.ts";

/** Maximum characters of a returned message: servers return its header, or the message if it is small enough. */
const maxCharacters = 1_048_576;

/**
 * Processes a bounce, complaint or other report about the workspace's e-mails, from a program that reads the mailbox of bounces; the same
 * message counts only once (platform.md P7).
 */
export const feedReport = useCase({
  access: ["api_key", "inbound:write"],
  refusals: ["payload_too_large"],
  input: z.strictObject({
    message: anyText(
      z
        .string()
        .min(1, "must not be empty")
        .meta({ maxLength: maxCharacters })
        .describe(
          "The returned message, unchanged: a notification of delivery (RFC 3464), a complaint (RFC 5965), or any other. At most 1 MiB; bytes beyond ASCII as characters of Latin-1.",
        ),
    ),
  }),
  async prepare(_, { message }): Promise<string> {
    if (message.length > maxCharacters)
      throw new ServiceError("payload_too_large", { message: "The message is larger than 1 MiB." });
    return digest(message);
  },
  repeats: {
    // Each caller's right to call is checked again in the transaction.
    key: ({ workspace, caller }, _, sum) => `${workspace.id} ${callerKey(caller)} ${sum}`,
    async find({ storage, workspace }, _, sum): Promise<InboundReportView | undefined> {
      const before = await storage.reports.findByDigest(workspace.id, sum);
      return before && viewReport(before);
    },
  },
  async run(context, { message: raw }): Promise<InboundReportView> {
    const report = readReport(raw);
    return storeReport(context, {
      kind: report.kind,
      source: "dsn",
      findings: report.findings,
      mentions: report.mentions,
      workspaceId: context.workspace.id,
      isAuthenticated: true,
      raw,
    });
  },
});
