import type { CommandContext } from "../program/connection/command-context.ts";
import type { Register } from "../program/verbs/register.ts";
import { formatFindings } from "./doctor/format-findings.ts";

export const register: Register = (command, act) => {
  command
    .addHelpText(
      "after",
      `
Each line is ✓ fine, ! needs attention, or ✗ broken, with advice. Exits with 1 if anything is broken. Changes nothing.

Examples:
  posthorn doctor
  posthorn doctor --json | jq '.[] | select(.state != "ok")'`,
    )
    .action(act(examine));
};

async function examine(context: CommandContext): Promise<void> {
  const { output } = context;
  const { makeChecks } = await import("./doctor/make-checks.ts");
  const findings = (await makeChecks(context)).map(({ advice, ...finding }) => ({
    ...finding,
    ...(advice === undefined ? {} : { advice: output.advice(advice) }),
  }));
  if (output.json) {
    output.list(findings, []);
  } else {
    for (const line of formatFindings(findings, process.stdout.columns || 80)) output.data(line);
  }
  const broken = findings.filter(({ state }) => state === "broken").length;
  if (broken > 0) {
    output.warn(`${broken} of ${findings.length} checks failed.`);
    process.exitCode = 1;
  }
}
