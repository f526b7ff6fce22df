import { nearestName } from "@posthorn/core/internal";
import type { Command } from "commander";

/** Words that other tools have for one act. */
const sameActs = [
  ["create", "add", "new"],
  ["delete", "remove", "revoke", "rm"],
  ["list", "ls", "all"],
  ["show", "get", "view", "info"],
  ["update", "set", "edit", "change"],
];

/** Words that other tools have where this one has a command of another name. */
const otherTools: Readonly<Record<string, string>> = {
  init: "dev",
  log: "events tail",
  logout: "profiles remove",
  logs: "events tail",
  mail: "emails",
  run: "serve",
  server: "serve",
  start: "serve",
  stop: "queue pause",
  tail: "events tail",
  version: "--version",
  whoami: "profiles list",
};

/** Words that set a value: no command sets those of `config`, and those of `settings` are a workspace's. */
const settingWords = new Set(["set", "unset", "add", "edit", "update", "change"]);

/** Maximum nouns that are named for a verb that several have. */
const maxNouns = 3;
/** Minimum letters of a word that is taken for the beginning of a command. */
const leastBeginning = 3;

/**
 * Adds to the report of an unknown command the one that was most likely meant: of the same noun, a noun, or a verb
 * that another noun has, misspelt or not. `called` is the noun, or the program.
 */
export function suggestCommand(text: string, called: Command): string {
  const word =
    /^error: unknown command '(.+)'\n$/.exec(text)?.[1] ??
    /^error: "(.+)" is not a command of /.exec(text)?.[1];
  if (word === undefined) return text;
  const program = called.parent ?? called;
  const meant = (called === program ? otherTools[word] : undefined) ?? nearestOf(word, called);
  if (meant !== undefined)
    return `${text}(Did you mean ${["posthorn", ...pathTo(called), meant].join(" ")}?)\n`;
  if (called.name() === "config" && settingWords.has(word))
    return `${text}(Settings come from flags and the environment: posthorn config show --origin lists them.)\n`;
  const verb = nearestName(word, new Set(program.commands.flatMap(namesOf)));
  if (verb === undefined) return text;
  const others = program.commands.filter((noun) => namesOf(noun).includes(verb)).map((noun) => noun.name());
  const named = others.slice(0, maxNouns).map((noun) => `posthorn ${noun} ${verb}`);
  return `${text}(Did you mean ${named.join(", ")}${others.length > maxNouns ? " …" : ""}?)\n`;
}

/**
 * The command below another that a word most likely means: near in its letters, beginning with it, with it as a part, or
 * another word for the same act.
 */
function nearestOf(word: string, above: Command): string | undefined {
  const known = namesOf(above);
  // `keys` is `api-keys`: a word's parts are told apart by underscores. `emial` is one slip from `email`, and two from
  // the noun, more than so short a word may have.
  const spellings = new Map(
    known.flatMap((name) => [name, name.replace(/s$/, "")].map((one) => [one.replaceAll("-", "_"), name])),
  );
  const near = nearestName(word.replaceAll("-", "_"), [...spellings.keys()]);
  const meant = near && spellings.get(near);
  const longer = known.find(
    (name) =>
      word.length >= leastBeginning && (name.startsWith(word) || name.split("-").includes(`${word}s`)),
  );
  const same = sameActs.find((words) => words.includes(word))?.find((one) => known.includes(one));
  return meant ?? longer ?? same;
}

const pathTo = (command: Command): string[] =>
  command.parent === null ? [] : [...pathTo(command.parent), command.name()];

const namesOf = (above: Command): string[] =>
  above
    .createHelp()
    .visibleCommands(above)
    .map((command) => command.name())
    .filter((name) => name !== "help");
