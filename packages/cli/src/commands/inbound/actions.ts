import { explainReport } from "@posthorn/core";
import type { CommandContext } from "../../program/command-context.ts";
import { readReportFile } from "./read-report-file.ts";

export async function parse(context: CommandContext, file: string): Promise<void> {
  const report = explainReport(await readReportFile(file));
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
    what: report.kind,
    tokens: report.tokens.join(", "),
    "e-mails named": report.emailIds.join(", "),
  });
  output.data("");
  output.list(report.findings, [
    { title: "RECIPIENT", cell: ({ addresses }) => addresses.join(" → ") },
    { title: "WHAT", cell: ({ kind }) => kind },
    { title: "CLASS", cell: ({ class: of }) => of },
    { title: "WHY", cell: ({ category }) => category },
    { title: "SUPPRESS", cell: ({ suppress }) => suppress.replace("_", " ") },
    { title: "REPLY", cell: ({ reply }) => reply, narrow: "cut" },
  ]);
}
