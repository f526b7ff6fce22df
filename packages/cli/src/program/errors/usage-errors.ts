import { nearestName } from "@posthorn/core/internal";
import { Command, Option } from "commander";
import { fitMessage } from "../../terminal/fit-message.ts";
import { paint } from "../../terminal/paint.ts";
import { suggestCommand } from "./suggest-command.ts";

const hint = "Add --help to see the usage.";

/** Has commander report usage errors as all other failures are: as JSON if the arguments ask for it. */
export function reportUsageErrors(program: Command, args: readonly string[]): Command {
  program.showSuggestionAfterError(false);
  const writeErr = (text: string): void => void process.stderr.write(text);
  const suggesting = (given: string): string => {
    const text = given.replace(
      /command-argument value ('.*') is invalid for argument '(.+?)'/,
      "$1 is no <$2>",
    );
    const verb = findVerb(program, args);
    const called = suggestCommand(text, verb.commands.length > 0 ? verb : (verb.parent ?? verb));
    if (called !== text) return called;
    return suggestArgument(
      suggestOption(
        text.startsWith("error: required option") ? (tellUnknown(verb, args) ?? text) : text,
        verb,
      ),
      verb,
    );
  };
  if (!asksForJson(args))
    return program.showHelpAfterError(hint).configureOutput({
      writeErr: (text) =>
        writeErr(fitMessage(text).replace(/^error:/, paint("red", "error:", process.stderr))),
      outputError: (text, write) => write(suggesting(text)),
    });
  return program.configureOutput({
    writeErr,
    outputError(text, write) {
      const message = suggesting(text)
        .replace(/^error: /, "")
        .trim()
        .replaceAll("\n", " ");
      write(`${JSON.stringify({ error: { code: "usage", message, hint } })}\n`);
    },
  });
}

/** Finds the verb that is called; where a value is also a verb's name, the message lacks a suggestion at worst. */
function findVerb(program: Command, args: readonly string[]): Command {
  let verb = program;
  for (const arg of args) verb = verb.commands.find((one) => one.name() === arg) ?? verb;
  return verb;
}

/**
 * Tells of an unknown option, if there is one, as commander would: it reports a missing option first, which may be the
 * same one, misspelt.
 */
function tellUnknown(verb: Command, args: readonly string[]): string | undefined {
  let told: string | undefined;
  const lenient = new Command()
    .argument("[words...]")
    .exitOverride()
    .configureOutput({ outputError: (text) => (told = text) })
    .action(() => {});
  for (let at: Command | null = verb; at !== null; at = at.parent)
    for (const { flags } of at.options) lenient.addOption(new Option(flags));
  try {
    lenient.parse(args, { from: "user" });
  } catch {
    return told;
  }
  return undefined;
}

/**
 * Adds the option that an unknown one begins to spell, such as `--password-stdin` for `--password`, or is near to, of
 * the verb or of all commands. Commander's own suggestions are off, as they take `--list` for `--host`.
 */
function suggestOption(text: string, verb: Command): string {
  const unknown = /^error: unknown option '(--?[\w-]+)(?:=.*)?'\n$/s.exec(text)?.[1];
  if (unknown === undefined) return text;
  const known: string[] = [];
  for (let at: Command | null = verb; at !== null; at = at.parent)
    known.push(...at.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : [])), "--help");
  const meant =
    known.find((long) => unknown.length > 3 && long.startsWith(unknown)) ?? nearestName(unknown, known);
  return meant === undefined ? text : `${text}(Did you mean ${meant}?)\n`;
}

/** Adds that an unknown option is an argument, and which words an argument that is missing can be. */
function suggestArgument(text: string, verb: Command): string {
  const unknown = /^error: unknown option '--([\w-]+)(?:=.*)?'\n$/s.exec(text)?.[1];
  if (verb.registeredArguments.some((one) => one.name() === unknown))
    return `${text}(It is an argument: ${pathOf(verb)} <${unknown}>)\n`;
  const missing = /^error: missing required argument '(.+)'\n$/.exec(text)?.[1];
  // A noun's own argument belongs to a hidden default verb.
  const choices = [verb, ...verb.commands]
    .flatMap(({ registeredArguments }) => registeredArguments)
    .find((one) => one.name() === missing)?.argChoices;
  return choices === undefined ? text : `${text}(Choices are ${choices.join(", ")}.)\n`;
}

const pathOf = (verb: Command): string =>
  verb.parent === null ? verb.name() : `${pathOf(verb.parent)} ${verb.name()}`;

/** An argument after `--` is no option, and at worst a usage error's format is the other one. */
function asksForJson(args: readonly string[]): boolean {
  return args.some(
    (arg, at) =>
      arg === "--json" ||
      (/^(?:--format=)?(?:nd)?json$/.test(arg) && (arg.startsWith("--") || args[at - 1] === "--format")),
  );
}
