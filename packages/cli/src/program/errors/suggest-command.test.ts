import { Command } from "commander";
import { expect, test } from "vitest";
import { suggestCommand } from "./suggest-command.ts";

const program = new Command("posthorn");
for (const noun of ["emails", "events", "api-keys", "templates", "plans"])
  program.addCommand(new Command(noun).addCommand(new Command("list")));

test.each([
  ["emial", "emails"],
  ["evnet", "events"],
  ["plna", "plans"],
  ["tempaltes", "templates"],
  ["keys", "api-keys"],
])("%s was meant as %s", (word, meant) => {
  const text = `error: unknown command '${word}'\n`;
  expect(suggestCommand(text, program)).toBe(`${text}(Did you mean posthorn ${meant}?)\n`);
});

test.each(["page", "foo", "hook", "post"])("nothing is suggested for %s", (word) => {
  const text = `error: unknown command '${word}'\n`;
  expect(suggestCommand(text, program)).toBe(text);
});
