import { ApiError, type ApiErrorCode, type DryRunOf } from "@posthorn/client";
import type { CommandContext } from "../../program/connection/command-context.ts";

type DryRun = DryRunOf<"POST /emails/send">;

/** Reports the result of a dry run. Throws the first fault, so that the exit code is the send's. */
export function reportDryRun({ output }: Pick<CommandContext, "output">, tried: DryRun): void {
  const { quota, reasons, recipients, warnings } = tried;
  output.record(
    {
      "would send": tried.would_send ? "yes" : "no",
      ...Object.fromEntries(
        reasons.map(({ message }, index) => [index === 0 ? "because" : `because (${index + 1})`, message]),
      ),
      to: recipients.map(({ address }) => address).join(", "),
      subject: tried.subject,
      "mail server": serverWords(tried),
      "sender's domain": domainWords(tried),
      "template version": tried.template_version_id,
      "missing values": tried.missing.join(", "),
      "unused values": tried.unused.join(", "),
      bytes: tried.size_bytes,
      "used this hour": windowOf(quota.hour),
      "used today": windowOf(quota.day),
    },
    tried,
  );
  for (const { message } of warnings) output.warn(message);
  const [first] = reasons;
  if (first !== undefined)
    throw new ApiError(first.message, {
      status: 0,
      code: first.code as ApiErrorCode,
      details: first.details,
    });
}

function serverWords({ server }: DryRun): string {
  if (server === null) return "";
  return server.name ?? server.smtp_server_id ?? "the operator's";
}

function domainWords({ domain }: DryRun): string {
  if (domain === null) return "";
  const signed = domain.dkim ? "signed" : "not signed";
  return `${domain.name}, ${domain.status ?? "not among the workspace's domains"}, ${signed}`;
}

const windowOf = ({ used, limit }: { used: number; limit: number }): string =>
  limit === 0 ? `${used} recipients` : `${used} of ${limit} recipients`;
