import { type ExplainedReport, explainReport } from "@posthorn/core/internal";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { readBounceRules } from "../../service/read-bounce-rules.ts";
import { readReportFile } from "./read-report-file.ts";

function explain(message: string, rules: Parameters<typeof explainReport>[1]): ExplainedReport {
  try {
    return explainReport(message, rules);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CliError("usage", `${error.message.replace(/^bounceRules/, "SERVICE_BOUNCE_RULES")}.`);
  }
}

export async function parse(context: CommandContext, file: string): Promise<void> {
  const rules = readBounceRules(context.config().values);
  const report = explain(await readReportFile(file), rules);
  const { output } = context;
  if (output.json) {
    const findings = report.findings.map(({ enhancedCode, ...finding }) => ({
      ...finding,
      enhanced_code: enhancedCode ?? null,
    }));
    return output.record(
      {},
      { kind: report.kind, findings, tokens: report.tokens, email_ids: report.emailIds },
    );
  }
  output.record({
    kind: report.kind,
    tokens: report.tokens.join(", "),
    "e-mails named": report.emailIds.join(", "),
  });
  output.data("");
  output.list(report.findings, [
    { title: "RECIPIENT", cell: ({ addresses }) => addresses.join(" → ") },
    { title: "KIND", cell: ({ kind }) => kind },
    { title: "CLASS", cell: ({ class: of }) => of },
    { title: "CATEGORY", cell: ({ category }) => category },
    { title: "SUPPRESS", cell: ({ suppress }) => suppress.replace("_", " ") },
    { title: "REPLY", cell: ({ reply }) => reply, narrow: "cut" },
  ]);
}
