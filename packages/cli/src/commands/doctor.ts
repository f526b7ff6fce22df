import type { CommandContext } from "../program/command-context.ts";
import type { Register } from "../program/register.ts";
import { paint } from "../terminal/paint.ts";

export const register: Register = (command, act) => {
  command
    .addHelpText(
      "after",
      `
Each line is ✓ all is well, ! look at it, or ✗ broken; with what to do. Ends with 1 where anything is broken. Changes nothing.

Examples:
  posthorn doctor
  posthorn doctor --json | jq '.[] | select(.state != "ok")'`,
    )
    .action(act(examine));
};

async function examine(context: CommandContext): Promise<void> {
  const { output } = context;
  const { makeChecks } = await import("./doctor/make-checks.ts");
  const findings = await makeChecks(context);
  if (output.json) {
    output.list(findings, []);
  } else {
    const signs = { ok: paint("green", "✓"), warning: paint("yellow", "!"), broken: paint("red", "✗") };
    const width = Math.max(...findings.map(({ check }) => check.length));
    for (const { check, state, found, advice } of findings) {
      output.data(`${signs[state]} ${check.padEnd(width)}  ${found}`);
      if (advice !== undefined) output.data(`${" ".repeat(width + 4)}${paint("dim", advice)}`);
    }
  }
  const broken = findings.filter(({ state }) => state === "broken").length;
  if (broken > 0) {
    output.warn(`${broken} of ${findings.length} checks failed.`);
    process.exitCode = 1;
  }
}
