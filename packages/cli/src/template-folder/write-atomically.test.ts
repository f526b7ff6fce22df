import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../test/run-command.ts";
import { toCliError } from "../program/errors/to-cli-error.ts";
import { writeAtomically } from "./write-atomically.ts";

test("a file that can't be written is named as it was given, and nothing is left beside it", async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, "welcome.html"));
  const path = join(folder, "welcome.html");
  const error: unknown = await writeAtomically(path, "Hi").catch((error: unknown) => error);
  expect(toCliError(error).message).toBe(`${path} can't be opened or written: it is a folder.`);
  expect(readdirSync(folder)).toEqual(["welcome.html"]);
});
