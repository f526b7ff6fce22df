import { expect, test } from "vitest";
import { fitHelp, helpWidth } from "./fit-help.ts";

test("leaves help that fits unchanged", () => {
  const text = "Usage: posthorn\n\nOptions:\n  --a  b\n\n\nShort\nlines.\n";
  expect(fitHelp(text, 20)).toBe(text);
});

test("continues a usage line that is too wide below its command", () => {
  const text = "Usage: posthorn templates push [options] <folder> [names...]\n\nShort.\n";
  expect(fitHelp(text, 40)).toBe(
    "Usage: posthorn templates push [options]\n       <folder> [names...]\n\nShort.\n",
  );
});

test("wraps a paragraph that is too wide as a whole, and folds a command so that a shell still accepts it", () => {
  const text =
    '\nKeeps everything in one folder, and\nlets mail go nowhere.\n\nExamples:\n  posthorn emails send --to ada@example.com --data \'{"name": "Ada L"}\' | jq .\n  posthorn dev\n';
  expect(fitHelp(text, 32)).toBe(
    `
Keeps everything in one folder,
and lets mail go nowhere.

Examples:
  posthorn emails send \\
    --to ada@example.com \\
    --data '{"name": "Ada L"}' \\
    | jq .
  posthorn dev
`,
  );
});

test("wraps a sentence that begins with a title's word", () => {
  expect(fitHelp("Options:\n  --a  b\n\nOptions of all commands: --help\n", 20)).toBe(
    "Options:\n  --a  b\n\nOptions of all\ncommands: --help\n",
  );
});

test.each([
  [{ columns: 100 }, { COLUMNS: "60" }, 100],
  [{}, { COLUMNS: "60" }, 60],
  [{}, {}, 80],
  [{}, { COLUMNS: "wide" }, 80],
  [{}, { COLUMNS: "0" }, 80],
  [{}, { COLUMNS: "5" }, 80],
])("help is as wide as the terminal, else as COLUMNS says (%j, %j)", (stdout, env, width) => {
  expect(helpWidth(stdout, env)).toBe(width);
});
