import { Command } from "commander";
import { expect, test } from "vitest";
import { commands } from "../../commands.ts";

const nouns = [
  "users",
  "workspaces",
  "members",
  "plans",
  "api-keys",
  "templates",
  "stylesheets",
  "emails",
  "webhooks",
  "events",
];

test.each(nouns)(
  "%s: the noun alone lists, and the help of each verb has an example that calls it",
  async (noun) => {
    const program = new Command("posthorn");
    const command = program.command(noun);
    const entry = commands.find(({ name }) => name === noun);
    (await entry?.load())?.register(command, () => async () => {});
    const helpOf = (one: Command): string => {
      const parts: string[] = [];
      one.configureOutput({ writeOut: (part) => void parts.push(part) }).outputHelp();
      return parts.join("");
    };
    expect(command.commands[0]?.name()).toBe("list");
    expect(helpOf(command)).toMatch(new RegExp(`Examples?:\n  posthorn ${noun}`));
    for (const verb of command.commands)
      expect(helpOf(verb)).toMatch(new RegExp(`Examples?:\n  posthorn ${noun}( ${verb.name()}|$)`, "m"));
  },
);
