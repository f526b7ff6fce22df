import { type Argument, type Command, Help, type HelpConfiguration, Option } from "commander";
import { entries, several } from "../program/settings/option-values.ts";
import type { Setting } from "../program/settings/setting.ts";
import { settings } from "../program/settings/settings.ts";
import { wrapText } from "./wrap-text.ts";

/** Commands that run with every setting, or show and check them: their help lists all. */
const allSettings = ["serve", "worker", "dev", "doctor", "config"];

const settingFlags = new Set(
  Object.values(settings as Record<string, Setting<unknown>>).flatMap(({ flag }) =>
    flag === undefined ? [] : [`--${flag}`],
  ),
);

const isSetting = ({ long }: Option): boolean => settingFlags.has(long ?? "");

/** `posthorn dev` has a database of its own. */
const withOwnDatabase = (option: Option): Option =>
  option.long === "--database-url"
    ? new Option(option.flags, option.description.replace(/default: \S+\)/, "default: its own)"))
    : option;

const nameOfArgument = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

const rootCommand = (command: Command): string =>
  command.parent?.parent == null ? command.name() : rootCommand(command.parent);

const pointer = "Options of all commands, such as --json, --yes and --profile: posthorn --help";

/**
 * Characters of the narrowest column beside the terms, as long as `(SERVICE_WORKER_CONCURRENCY)`; with less room a
 * description stands below its term.
 */
const leastColumn = 28;

/** Format of help: commands before options, and a reference to the root's help instead of the global options. */
export const helpFormat: HelpConfiguration = {
  showGlobalOptions: true,
  minWidthToWrap: leastColumn,
  // Almost every verb takes options: saying so leaves no room for summaries.
  subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(nameOfArgument)].join(" "),
  visibleCommands(command): Command[] {
    const commands = Help.prototype.visibleCommands.call(this, command);
    return command.parent === null ? commands : commands.filter((one) => one.name() !== "help");
  },
  visibleGlobalOptions(command): Option[] {
    if (!allSettings.includes(rootCommand(command))) return [];
    const options = Help.prototype.visibleGlobalOptions.call(this, command).filter(isSetting);
    return rootCommand(command) === "dev" ? options.map(withOwnDatabase) : options;
  },
  optionDescription(option) {
    const text = Help.prototype.optionDescription.call(this, option).replace(" (default: false)", "");
    const repeats = option.parseArg === several || option.parseArg === entries;
    return [text, repeats ? "repeatable" : "", option.mandatory ? "required" : ""].filter(Boolean).join("; ");
  },
  formatItem(term, termWidth, description, helper) {
    const width = this.helpWidth ?? 80;
    const [indent, below] = ["  ", "      "];
    // Commander leaves a description too wide where the column beside the terms is too narrow.
    if (width - indent.length - termWidth - indent.length >= leastColumn || description === "")
      return Help.prototype.formatItem.call(this, term, termWidth, description, helper);
    return [indent + term, ...wrapText(description, width - below.length).map((line) => below + line)].join(
      "\n",
    );
  },
  formatHelp(command, helper) {
    const printed = withoutSettings(helper);
    const text = Help.prototype.formatHelp.call(printed, command, printed).trimEnd();
    // Commander puts commands last, behind a screen of options.
    const blocks = text.replace(/^Global Options:/m, "Settings:").split(/\n\n(?=\S)/);
    const first = blocks.findIndex((block) => block.startsWith("Options:"));
    const [options, commands] = [[], []] as [string[], string[]];
    for (const block of blocks.slice(first))
      (/^(?:Options|Settings):/.test(block) ? options : commands).push(block);
    if (command.parent !== null) options.push(pointer);
    return `${[...blocks.slice(0, first), ...commands, ...options].join("\n\n")}\n`;
  },
};

/** The root's help leaves the settings to that of `serve`; commander suggests them for misspelt options all the same. */
const withoutSettings = (helper: Help): Help =>
  Object.assign(Object.create(helper) as Help, {
    visibleOptions(command: Command): Option[] {
      const options = helper.visibleOptions(command);
      if (command.parent !== null) return options;
      return options.filter((option) => !isSetting(option) || option.long === "--database-url");
    },
  });
