import { version } from "@posthorn/core/version";
import { Command, CommanderError, Option } from "commander";
import { type CommandEntry, commands } from "./commands.ts";
import { exitCodes } from "./program/errors/exit-codes.ts";
import { sentence } from "./program/errors/sentence.ts";
import { unwritableWords } from "./program/errors/unwritable-words.ts";
import { reportUsageErrors } from "./program/errors/usage-errors.ts";
import type { Setting } from "./program/settings/setting.ts";
import { settings } from "./program/settings/settings.ts";
import { fitHelp, helpWidth } from "./terminal/fit-help.ts";
import { helpFormat } from "./terminal/help-format.ts";
import { outputFormats, recordForms } from "./terminal/output-formats.ts";

/** Runs the command line. Sets `process.exitCode` instead of ending the process, which would truncate piped output. */
export async function main(given: string[]): Promise<void> {
  const args = withRecordForm(inFull(given));
  // An action tells of its output itself.
  let isActing = false;
  // The reader may close the pipe at any time (`--help | head -1`): that is not an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.exitCode = exitCodes.failed;
    if (!isActing) process.stderr.write(`error: ${unwritableWords(error)}\n`);
  });
  // Where nothing can be reported, such as on a full disk, the command does its work all the same.
  process.stderr.on("error", () => {});
  const program = reportUsageErrors(createProgram(), args);
  program.hook("preAction", () => {
    isActing = true;
  });
  const called = findCommand(args);
  if (called === "serve" || called === "worker" || called === "dev")
    (await import("./program/process/tune-v8.ts")).tuneV8();
  for (const { group, name, summary } of commands)
    program.command(name).helpGroup(`${group}:`).summary(summary).description(sentence(summary));
  const noun = commands.find(({ name }) => name === called);
  if (noun !== undefined) await registerVerbs(program, noun);
  // An unknown word is compared with all verbs.
  if (called === "completion" || (called !== undefined && !knowsVerb(program, args)))
    for (const other of commands) if (other !== noun) await registerVerbs(program, other);
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander reports help and version as errors too, with code 0; other faults have been printed already.
    process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
  }
}

async function registerVerbs(program: Command, { name, load }: CommandEntry): Promise<void> {
  const command = program.commands.find((one) => one.name() === name);
  if (command === undefined) throw new Error(`no command ${name}`);
  const [{ register }, { runAction }, { describeCall }] = await Promise.all([
    load(),
    import("./program/verbs/run-action.ts"),
    import("./program/verbs/describe-call.ts"),
  ]);
  register(command, (action) => (...given) => {
    // Commander passes the arguments, then the options, then the command itself.
    const self = given.at(-1) as Command;
    return runAction(
      action,
      self.optsWithGlobals() as never,
      given.slice(0, -1),
      describeCall(name, self, given),
    );
  });
}

/** Whether the command that is called is known, and so is the word right after it where it has verbs. */
function knowsVerb(program: Command, args: readonly string[]): boolean {
  const at = findWord(args);
  const noun = program.commands.find((one) => one.name() === args[at]);
  const word = args[at + 1];
  if (noun === undefined || noun.commands.length === 0 || word === undefined || word.startsWith("-"))
    return noun !== undefined;
  return noun.commands.some((verb) => verb.name() === word);
}

const takesValue = new Set([
  "--environment-file",
  "--env-file",
  "--format",
  "--profile",
  ...Object.values(settings as Record<string, Setting<unknown>>).flatMap(({ flag }) =>
    flag === undefined ? [] : `--${flag}`,
  ),
]);

/**
 * Writes `domains records --format zone` with the verb's own option: `--format` belongs to every command, and knows only
 * the formats of data.
 */
function withRecordForm(args: string[]): string[] {
  if (findCommand(args) !== "domains" || !args.includes("records")) return args;
  const isForm = (word = "") => (recordForms as readonly string[]).includes(word);
  return args.flatMap((arg, at) => {
    if (arg === "--format" && isForm(args[at + 1])) return ["--as"];
    const [, form] = /^--format=(.*)$/s.exec(arg) ?? [];
    return isForm(form) ? [`--as=${form}`] : [arg];
  });
}

/**
 * Writes `help emails send` as `emails send --help`: commander's own help takes the noun only. Without a noun of ours
 * no help is asked for, so that commander refuses the word, and the nearest is suggested.
 */
function inFull(args: string[]): string[] {
  const called = findCommand(args);
  if (called === undefined) return args;
  const isKnown = commands.some(({ name }) => name === called);
  const words = isKnown ? args : args.filter((arg) => arg !== "--help" && arg !== "-h");
  const at = findWord(words);
  return words[at] !== "help" ? words : [...words.toSpliced(at, 1), ...(isKnown ? ["--help"] : [])];
}

/** Finds the command that is called or whose help is requested. */
function findCommand(args: readonly string[]): string | undefined {
  const at = findWord(args);
  return args[args[at] === "help" ? findWord(args, at + 1) : at];
}

/** The place of the next word that is no option, nor the value of one of those that may precede a command. */
function findWord(args: readonly string[], from = 0): number {
  let at = from;
  while (args[at]?.startsWith("-")) at += takesValue.has(args[at] ?? "") ? 2 : 1;
  return at;
}

const footer = `
Every command has --help: its verbs and options, with examples.

Settings are read from flags, then --environment-file, the environment,
posthorn.config.json. posthorn config show lists them all: smtp_url, the mail
server, is SERVICE_SMTP_URL in the environment.

Exit codes: 0 done, 1 failed, 2 usage, 3 not found, 4 not allowed, 5 conflict,
6 limit, 7 unavailable, 130 interrupted.`;

function createProgram(): Command {
  const program = new Command("posthorn")
    .description("Sends e-mail from your own database: server, worker and administration.")
    .version(version, "-v, --version")
    .exitOverride()
    .configureHelp(helpFormat)
    .configureOutput({
      getOutHelpWidth: helpWidth,
      writeOut: (text) => void process.stdout.write(fitHelp(text, helpWidth())),
    })
    .addOption(
      new Option(
        "--format <format>",
        "the format of data (default: table on a terminal, json in a pipe)",
      ).choices(outputFormats),
    )
    .option("--json", "write data and errors as JSON: --format json", false)
    .option("--debug", "show an error's stack trace", false)
    .option("--yes", "answer yes to every question")
    .addOption(
      new Option(
        "--profile <name>",
        "use a server instead of the database: see posthorn profiles (SERVICE_PROFILE)",
      ).conflicts("dev"),
    )
    .option("--dev", "use the database of posthorn dev in this folder", false)
    .option(
      "--environment-file <file>",
      "a file of settings, as NAME=value lines, such as a service's environment file",
    )
    // A common name for this option. Node also reads it, and exits with a code of its own if there is no such file.
    .addOption(new Option("--env-file <file>").hideHelp());
  for (const { flag, value, describes, fallback, env } of Object.values(settings) as Setting<unknown>[]) {
    const preset = fallback === undefined ? "" : ` (default: ${fallback})`;
    if (flag !== undefined) program.option(`--${flag} <${value}>`, `${describes}${preset} (${env})`);
  }
  const help = new Command("help").argument("[command]").summary("show the help of a command");
  return program.addHelpCommand(help.helpOption(false).helpGroup("To begin:")).addHelpText("after", footer);
}
