import { type Argument, type Command, Help, type HelpConfiguration, type Option } from "commander";
import type { Setting } from "./setting.ts";
import { settings } from "./settings.ts";

/** Commands that run with every setting, or show and check them: their help lists all. */
const allSettings = ["serve", "worker", "dev", "doctor", "config"];

/** Flags of settings that matter only to those commands. */
const serverFlags = new Set(
  Object.entries(settings as Record<string, Setting<unknown>>).flatMap(([name, { flag }]) =>
    flag === undefined || name === "database_url" ? [] : [`--${flag}`],
  ),
);

const withoutServerFlags = (options: Option[]): Option[] =>
  options.filter(({ long }) => !serverFlags.has(long ?? ""));

const nameOfArgument = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

const rootCommand = (command: Command): string =>
  command.parent?.parent == null ? command.name() : rootCommand(command.parent);

/** Format of help: commands before options, and of the global options only those that the command uses. */
export const helpFormat: HelpConfiguration = {
  showGlobalOptions: true,
  minWidthToWrap: 20,
  // Almost every verb takes options: saying so leaves no room for summaries.
  subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(nameOfArgument)].join(" "),
  visibleGlobalOptions(command): Option[] {
    const options = Help.prototype.visibleGlobalOptions.call(this, command);
    return allSettings.includes(rootCommand(command)) ? options : withoutServerFlags(options);
  },
  visibleOptions(command): Option[] {
    const options = Help.prototype.visibleOptions.call(this, command);
    return command.parent === null ? withoutServerFlags(options) : options;
  },
  formatHelp(command, helper) {
    const text = Help.prototype.formatHelp.call(helper, command, helper).trimEnd();
    // Commander puts commands last, behind a screen of options.
    const blocks = text.split(/\n\n(?=\S)/);
    const first = blocks.findIndex((block) => /^(?:Global )?Options:/.test(block));
    const [options, commands] = [[], []] as [string[], string[]];
    for (const block of blocks.slice(first)) (/^[\w ]*Options:/.test(block) ? options : commands).push(block);
    return `${[...blocks.slice(0, first), ...commands, ...options].join("\n\n")}\n`;
  },
};
