import type { CommandContext } from "../program/connection/command-context.ts";
import type { Register } from "../program/verbs/register.ts";
import { paint } from "../terminal/paint.ts";
import { wrapText } from "../terminal/wrap-text.ts";

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
    const signs = { ok: paint("green", "✓"), warning: paint("yellow", "!"), broken: paint("red", "✗") };
    // Width beside the signs and gaps; a check's text has at least 20 columns.
    const room = Math.max(process.stdout.columns || 80, 44) - 4;
    const width = Math.max(...findings.map(({ check }) => check.length));
    for (const { check, state, found, advice } of findings) {
      const [first = "", ...more] = wrapText(found, room - width);
      output.data(`${signs[state]} ${check.padEnd(width)}  ${first}`);
      const margin = " ".repeat(width + 4);
      for (const line of more) output.data(`${margin}${line}`);
      for (const line of wrapText(advice ?? "", room - width))
        if (line !== "") output.data(`${margin}${paint("dim", line)}`);
    }
  }
  const broken = findings.filter(({ state }) => state === "broken").length;
  if (broken > 0) {
    output.warn(`${broken} of ${findings.length} checks failed.`);
    process.exitCode = 1;
  }
}
