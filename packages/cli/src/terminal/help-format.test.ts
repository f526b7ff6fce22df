import { Command } from "commander";
import { expect, test } from "vitest";
import { several } from "../program/settings/option-values.ts";
import { helpFormat } from "./help-format.ts";

const createProgram = (): Command => {
  const program = new Command("posthorn").configureHelp(helpFormat);
  program
    .option("--json", "as JSON")
    .option("--database-url <url>", "database")
    .option("--port <number>", "port");
  program.command("serve").summary("serve");
  program.command("emails").command("send <to>").option("--tag <tag>", "a tag");
  return program;
};

const helpOf = (...names: string[]): string =>
  names
    .reduce(
      (command, name) => command.commands.find((one) => one.name() === name) ?? command,
      createProgram(),
    )
    .helpInformation();

const orderOf = (text: string): string[] => text.match(/^[A-Z][\w ]*(?=:)/gm) ?? [];

test("lists commands before options", () => {
  expect(orderOf(helpOf())).toEqual(["Usage", "Commands", "Options"]);
  expect(orderOf(helpOf("emails"))).toEqual(["Usage", "Commands", "Options"]);
  expect(helpOf("emails")).toMatch(/^Commands:\n {2}send <to>.*\n(?: {2}.*\n)*\nOptions:\n/m);
});

test("lists commands by their headings, before options", () => {
  const program = createProgram();
  program.command("users").summary("people").helpGroup("People:");
  program.commands[0]?.helpGroup("Running it:");
  const text = program.helpInformation();
  expect(orderOf(text)).toEqual(["Usage", "Running it", "Commands", "People", "Options"]);
});

test("lists the settings only for commands that use them", () => {
  expect(orderOf(helpOf("serve"))).toEqual(["Usage", "Options", "Settings"]);
  for (const option of ["--port", "--database-url"]) expect(helpOf("serve")).toContain(option);
  expect(helpOf()).not.toContain("--port");
  expect(helpOf()).toContain("--database-url");
});

test("says that posthorn dev has a database of its own, where others have the default one", () => {
  const program = new Command("posthorn")
    .configureHelp(helpFormat)
    .option("--database-url <url>", "database (default: sqlite:./posthorn.db) (X)");
  for (const name of ["serve", "dev"]) program.command(name).command("verb").summary("verb");
  const [serve, dev] = program.commands.map((command) => command.helpInformation());
  expect(serve).toContain("(default: sqlite:./posthorn.db)");
  expect(dev).toContain("(default: its own)");
});

test("refers to the root's help for the options of all commands", () => {
  for (const option of ["--json", "--database-url"]) expect(helpOf()).toContain(`  ${option} `);
  for (const names of [["serve"], ["emails"], ["emails", "send"]]) {
    expect(helpOf(...names)).not.toContain("  --json ");
    expect(helpOf(...names).trimEnd()).toMatch(/\n\nOptions of all commands, .*: posthorn --help$/);
  }
});

test("lists the command help once, in the root's help", () => {
  const program = createProgram().addHelpCommand(new Command("help").summary("show help"));
  expect(program.helpInformation()).toContain("show help");
  expect(program.commands[1]?.helpInformation()).not.toContain("help [command]");
});

test("describes each option below it where there is no room beside it, in its own words", () => {
  const program = new Command("posthorn")
    .configureHelp(helpFormat)
    .configureOutput({ getOutHelpWidth: () => 32 })
    .option("--environment-file <file>", "a service's settings, as NAME=value lines")
    .option("--yes", "answer yes");
  expect(program.helpInformation()).toContain(
    [
      "  --environment-file <file>",
      "      a service's settings, as",
      "      NAME=value lines",
      "  --yes",
      "      answer yes",
      "",
    ].join("\n"),
  );
});

test("says which options are required or repeatable, and no default of a switch", () => {
  const program = new Command("posthorn")
    .configureHelp(helpFormat)
    .requiredOption("--to <address>", "a recipient", several)
    .option("--json", "write JSON", false);
  const help = program.helpInformation();
  expect(help).toMatch(/a recipient; repeatable; required\n.*write JSON\n/);
});
