import { expect, test } from "vitest";
import { parseEnvironmentFile } from "./parse-environment-file.ts";

// What systemd 252 makes of each, by its parser's source (src/basic/env-file.c).
test.each([
  ["plain", "A=1\nB=two words \n", { A: "1", B: "two words" }],
  ["comments at the beginning of a line alone", "# A=1\n  ; A=2\nA=x #y;z\n", { A: "x #y;z" }],
  ["Windows' line ends and a mark of the byte order", "\uFEFFA=1\r\nB=2\r\n", { A: "1", B: "2" }],
  ["blanks around", "  A = 1\t\n", { A: "1" }],
  ["double quotes", 'A="x \\"y\\" \\\\ \\$HOME \\n #"\n', { A: 'x "y" \\ $HOME \\n #' }],
  ["single quotes", "A='x \\ \"y\" $HOME'\n", { A: 'x \\ "y" $HOME' }],
  ["quotes one after another", "A='x ' \"y\" z \n", { A: "x yz" }],
  ["quotes further on", `A=x "y" 'z'\n`, { A: `x "y" 'z'` }],
  ["lines within quotes", 'A="x\ny"\nB=1', { A: "x\ny", B: "1" }],
  ["a continued line", "A=x\\\n  y\nB=1\n", { A: "x  y", B: "1" }],
  ["escapes", "A=x\\#\\ \\y\\\\\n", { A: "x# y\\" }],
  ["nothing", "A=\nB=''\n\n", { A: "", B: "" }],
  ["equals signs", "A=b=c==\n", { A: "b=c==" }],
  ["the last of two", "A=1\nA=2", { A: "2" }],
  ["no variables", "A=$HOME/x\n", { A: "$HOME/x" }],
])("reads %s", (_, text, found) => expect({ ...parseEnvironmentFile(text) }).toEqual(found));

test.each([
  ["A=1\nSERVICE_PORT 80\n", 2],
  ["\n\nexport A=1", 3],
  ["A=1\n=2", 2],
  ["A-B=1", 1],
])("refuses %j, because systemd would ignore its line %i", (text, line) =>
  expect(() => parseEnvironmentFile(text)).toThrow(`line ${line} does not begin with NAME=`),
);
