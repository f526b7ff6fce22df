import type { Command } from "commander";
import { fitMessage } from "../../terminal/fit-message.ts";

const hint = "Add --help to see the usage.";

/** Has commander report usage errors as all other failures are: as JSON if the arguments ask for it. */
export function reportUsageErrors(program: Command, args: readonly string[]): Command {
  const writeErr = (text: string): void => void process.stderr.write(text);
  if (!asksForJson(args))
    return program
      .showHelpAfterError(hint)
      .configureOutput({ writeErr: (text) => writeErr(fitMessage(text)) });
  return program.configureOutput({
    writeErr,
    outputError(text, write) {
      const message = text
        .replace(/^error: /, "")
        .trim()
        .replaceAll("\n", " ");
      write(`${JSON.stringify({ error: { code: "usage", message, hint } })}\n`);
    },
  });
}

/** An argument after `--` is no option, and at worst a usage error's format is the other one. */
function asksForJson(args: readonly string[]): boolean {
  return args.some(
    (arg, at) =>
      arg === "--json" ||
      (/^(?:--format=)?(?:nd)?json$/.test(arg) && (arg.startsWith("--") || args[at - 1] === "--format")),
  );
}
