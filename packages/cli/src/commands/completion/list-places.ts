import type { Command } from "commander";
import { assignableRoles } from "../members/assignable-roles.ts";

/** What can follow a command: verbs, options, and names of arguments. */
export interface Place {
  /** Words of the command, such as `posthorn users create`. */
  path: string;
  verbs: Word[];
  flags: Flag[];
  args: Value[];
}

export interface Word {
  name: string;
  summary: string;
}

/** Candidates for a value: fixed words, or the names of a kind of thing. */
export interface Value {
  choices: readonly string[];
  kind: string | undefined;
  /** Whether it is a path of a file or folder. */
  isPath: boolean;
}

export interface Flag extends Word {
  /** Whether the option takes a value, which is the next word. */
  takesValue: boolean;
  /** Whether every command has the option. */
  isCommon: boolean;
  value: Value;
}

/** Kinds of things by the placeholder of an option's value in the help, or by option. */
const optionKinds: Readonly<Record<string, string>> = {
  template: "templates",
  stylesheet: "stylesheets",
  webhook: "webhooks",
  user: "users",
  member: "members",
  plan: "plans",
  plans: "plans",
  invitation: "invitations",
  workspace: "workspaces",
  "id or name": "workspaces",
  owner: "users",
  profile: "profiles",
  server: "smtp-servers",
  event: "event-types",
};

/** Kinds of things by the name of an argument. */
const argumentKinds: Readonly<Record<string, string>> = {
  ...optionKinds,
  key: "api-keys",
  campaign: "campaigns",
  domain: "domains",
  endpoint: "inbound-endpoints",
};

/** Words that an argument can be, by its name. */
const argumentChoices: Readonly<Record<string, readonly string[]>> = {
  role: assignableRoles,
};

const isPath = (name: string): boolean => /^(?:file|folder)$/.test(name);

/** Lists a command and its subcommands. */
export function listPlaces(command: Command, above = ""): Place[] {
  const path = `${above} ${command.name()}`.trim();
  const common = rootOf(command).options.filter(({ hidden }) => !hidden);
  const own = command.parent === null ? [] : command.options;
  const flags = [...own, ...common].flatMap((option): Flag[] => {
    const { long, description, required, flags: written, argChoices } = option;
    if (long === undefined || long === null) return [];
    const word = /<([^>]+?)(?:\.\.\.)?>/.exec(written)?.[1] ?? "";
    const kind = optionKinds[word] ?? optionKinds[long.slice(2)];
    const value = { choices: argChoices ?? [], kind, isPath: isPath(word) };
    return [
      { name: long, summary: description, takesValue: required, isCommon: common.includes(option), value },
    ];
  });
  const none: Value = { choices: [], kind: undefined, isPath: false };
  const help: Flag = { name: "--help", summary: "show help", takesValue: false, isCommon: true, value: none };
  const shown = command.createHelp().visibleCommands(command);
  const verbs = command.commands
    .filter((one) => shown.includes(one))
    .map((one) => ({ name: one.name(), summary: one.summary() || one.description() }));
  // Arguments of a noun itself belong to a hidden default verb.
  const [taker = command] = verbs.length > 0 ? [] : command.commands;
  const args = taker.registeredArguments.map((one) => ({
    choices: one.argChoices ?? argumentChoices[one.name()] ?? [],
    kind: argumentKinds[one.name()],
    isPath: isPath(one.name()),
  }));
  return [
    { path, verbs, flags: [...flags, help], args },
    ...command.commands.flatMap((one) => listPlaces(one, path)),
  ];
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
