import type { RouteSignature } from "@posthorn/client";
import type { Command } from "commander";
import { wholeNumber } from "./option-values.ts";
import { sentence } from "./sentence.ts";

export interface VerbHelp {
  /** A few words, in lower case: also the first line of the verb's own help. */
  summary: string;
  /** Whole command lines that work. */
  example: string | string[];
  /** What else is worth knowing, as sentences. */
  details?: string;
  /** Whether the bare noun means this verb. */
  isDefault?: boolean;
  /** The lines of the contract that it asks for. */
  asks?: readonly RouteSignature[];
  /** The field of the contract that each argument goes to, in order; only where the argument's name doesn't tell it. */
  args?: readonly string[];
}

/** Where a verb keeps what it asks for, and the fields that its arguments go to. */
const asked = Symbol("asks");
const taken = Symbol("args");

/** The fields of the contract that a verb's arguments go to, in order, as far as their names don't tell. */
export function argumentFieldsOf(verb: Command): readonly string[] {
  return (verb as Command & { [taken]?: readonly string[] })[taken] ?? [];
}

/** The lines of the contract that a verb asks for; none where it works on the database itself. */
export function asksOf(verb: Command): readonly RouteSignature[] {
  return (verb as Command & { [asked]?: readonly RouteSignature[] })[asked] ?? [];
}

/** Says which lines of the contract a verb asks for. */
export function asksFor(verb: Command, asks: readonly RouteSignature[]): Command {
  return Object.assign(verb, { [asked]: asks });
}

/** Adds a verb to its noun: `usage` is the verb with its arguments, such as `show <user>`. */
export function addVerb(noun: Command, usage: string, help: VerbHelp): Command {
  const { summary, details, isDefault = false } = help;
  const examples = [help.example].flat();
  const first = sentence(summary);
  const shown = `\n${examples.length > 1 ? "Examples" : "Example"}:\n${examples.map((line) => `  ${line}`).join("\n")}`;
  const verb = noun.command(usage, { isDefault });
  asksFor(verb, help.asks ?? []);
  Object.assign(verb, { [taken]: help.args ?? [] });
  if (isDefault) {
    noun.addHelpText("after", shown);
    refuseUnknown(verb);
  }
  return verb
    .summary(summary)
    .description(details === undefined ? first : `${first} ${details}`)
    .addHelpText("after", shown);
}

/** An unknown verb would reach the default verb, as an argument that it does not take. */
function refuseUnknown(verb: Command): void {
  verb.allowExcessArguments().hook("preAction", () => {
    const [word] = verb.args;
    if (word === undefined) return;
    const known = verb.parent?.commands.map((command) => command.name()) ?? [];
    verb.error(
      `error: "${word}" is not a command of ${verb.parent?.name()}. There are: ${known.join(", ")}.`,
    );
  });
}

/** Adds the option that names the workspace. */
export function addWorkspaceOption(verb: Command): Command {
  return verb.option(
    "--workspace <id or name>",
    "the workspace (default: SERVICE_WORKSPACE, or the only one there is)",
  );
}

/** Adds the options of a paged list, whose first page is 0 unless it is said to be 1. */
export function addPaging(verb: Command, first: 0 | 1 = 0): Command {
  return verb
    .option("--page <number>", `the page, from ${first}`, wholeNumber(first, 1_000_000), first)
    .option("--size <number>", "rows on a page, 1 to 100", wholeNumber(1, 100), 20)
    .option("--all", "list all pages");
}

/** What `addPaging` reads. */
export interface Paging {
  page: number;
  size: number;
  all?: boolean;
}
