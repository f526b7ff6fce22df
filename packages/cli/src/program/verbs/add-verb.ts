import type { RouteSignature } from "@posthorn/client";
import type { Command } from "commander";
import { sentence } from "../errors/sentence.ts";
import { wholeNumber } from "../settings/option-values.ts";

export interface VerbHelp {
  /** Short summary in lower case, also the first line of the verb's help. */
  summary: string;
  /** Complete command lines that work. */
  example: string | string[];
  /** Further sentences for the help. */
  details?: string;
  /** Whether the noun alone runs this verb. */
  isDefault?: boolean;
  /** Routes that the verb calls. */
  asks?: readonly RouteSignature[];
  /** Field of the route for each argument, in order, if it differs from the argument's name. */
  args?: readonly string[];
}

/** Routes that a verb calls and the fields of its arguments, by verb. */
const asked = Symbol("asks");
const taken = Symbol("args");

/** Returns the route's fields for a verb's arguments, in order, as far as they differ from the arguments' names. */
export function argumentFieldsOf(verb: Command): readonly string[] {
  return (verb as Command & { [taken]?: readonly string[] })[taken] ?? [];
}

/** Returns the routes that a verb calls; none if it works on the database itself. */
export function asksOf(verb: Command): readonly RouteSignature[] {
  return (verb as Command & { [asked]?: readonly RouteSignature[] })[asked] ?? [];
}

/** Records which routes a verb calls. */
export function asksFor(verb: Command, asks: readonly RouteSignature[]): Command {
  return Object.assign(verb, { [asked]: asks });
}

/** Adds a verb to its noun. `usage` is the verb with its arguments, such as `show <user>`. */
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

/** An unknown verb would otherwise reach the default verb as an unexpected argument. */
export function refuseUnknown(verb: Command): void {
  verb.allowExcessArguments().hook("preAction", () => {
    const [word] = verb.args;
    if (word === undefined) return;
    // Commander's own words for the verb that was written out.
    if (verb.parent?.args[0] === verb.name())
      verb.error(
        `error: too many arguments for '${verb.name()}'. Expected 0 arguments but got ${verb.args.length}: ${verb.args.join(", ")}.`,
      );
    const known = verb.parent?.commands.map((command) => command.name()) ?? [];
    verb.error(
      `error: "${word}" is not a command of ${verb.parent?.name()}. There are: ${known.join(", ")}.`,
    );
  });
}

/** Adds the option for the workspace. */
export function addWorkspaceOption(verb: Command): Command {
  return verb.option(
    "--workspace <id or name>",
    "the workspace (default: SERVICE_WORKSPACE, or the only one there is)",
  );
}

/** Adds the options of a paged list, whose first page is 0, or 1 if so given. */
export function addPaging(verb: Command, first: 0 | 1 = 0): Command {
  return verb
    .option("--page <number>", `the page, from ${first}`, wholeNumber(first, 1_000_000), first)
    .option("--size <number>", "rows on a page, 1 to 100", wholeNumber(1, 100), 20)
    .option("--all", "list all pages");
}

/** Values of the options that `addPaging` adds. */
export interface Paging {
  page: number;
  size: number;
  all?: boolean;
}
