import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { askAtTerminal } from "./ask-at-terminal.ts";

const type = async (keys: string): Promise<unknown> => {
  const input = new PassThrough();
  const answer = askAtTerminal(({ confirm }, options) => confirm({ message: "Delete it?", ...options }), {
    input,
    output: new PassThrough(),
  });
  input.write(keys);
  return await answer;
};

test.each([
  ["Ctrl-C", "\x03"],
  ["Ctrl-D", "\x04"],
])("%s ends a question", async (_, keys) => {
  await expect(type(keys)).rejects.toMatchObject({ failure: "interrupted", message: "Nothing was done." });
});

test("any other answer is returned", async () => {
  expect(await type("y")).toBe(true);
  expect(await type("n")).toBe(false);
});
