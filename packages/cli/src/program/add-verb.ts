import type { Command } from "commander";
import { wholeNumber } from "./option-values.ts";

export interface VerbHelp {
  /** A few words, in lower case: also the first line of the verb's own help. */
  summary: string;
  /** Whole command lines that work. */
  example: string | string[];
  /** What else is worth knowing, as sentences. */
  details?: string;
  /** Whether the bare noun means this verb. */
  isDefault?: boolean;
}

/** Adds a verb to its noun: `usage` is the verb with its arguments, such as `show <user>`. */
export function addVerb(noun: Command, usage: string, help: VerbHelp): Command {
  const { summary, details, isDefault = false } = help;
  const examples = [help.example].flat();
  const first = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  const shown = `\n${examples.length > 1 ? "Examples" : "Example"}:\n${examples.map((line) => `  ${line}`).join("\n")}`;
  const verb = noun.command(usage, { isDefault });
  if (isDefault) {
    noun.addHelpText("after", shown);
    refuseUnknown(verb);
  }
  return verb
    .summary(summary)
    .description(details === undefined ? first : `${first} ${details}`)
    .addHelpText("after", shown);
}

/** A word that is no verb lands with the default one, as an argument that it does not take. */
function refuseUnknown(verb: Command): void {
  verb.allowExcessArguments().hook("preAction", () => {
    const [word] = verb.args;
    if (word === undefined) return;
    const known = verb.parent?.commands.map((command) => command.name()) ?? [];
    verb.error(`error: "${word}" is no command of ${verb.parent?.name()}. There are: ${known.join(", ")}.`);
  });
}

/** Adds the option that names the workspace. */
export function addWorkspaceOption(verb: Command): Command {
  return verb.requiredOption("--workspace <id or name>", "the workspace");
}

/** Adds the options of a paged list. */
export function addPaging(verb: Command): Command {
  return verb
    .option("--page <number>", "the page, from 0", wholeNumber(0, 1_000_000), 0)
    .option("--size <number>", "rows on a page, 1 to 100", wholeNumber(1, 100), 20);
}

/** What `addPaging` reads. */
export interface Paging {
  page: number;
  size: number;
}
