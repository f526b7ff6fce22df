import { readdirSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { fileFault } from "./file-fault.ts";
import { toCliError } from "./to-cli-error.ts";

const failureOf = async (use: () => Promise<unknown>) => toCliError(await use().catch((error) => error));

test("a fault of a file is told in words, with the file's name and the kind of failure", async () => {
  const missing = await failureOf(() => stat("/nowhere/at/all"));
  expect([missing.failure, missing.message]).toEqual([
    "not_found",
    "/nowhere/at/all can't be read: there is no such file or folder.",
  ]);
  const below = await failureOf(() => readFile(`${import.meta.filename}/below`));
  expect([below.failure, below.message]).toEqual([
    "usage",
    `${import.meta.filename}/below can't be opened or written: it is not a folder.`,
  ]);
  const file = await failureOf(async () => readdirSync(import.meta.filename));
  expect(file.message).toBe(`${import.meta.filename} can't be read: it is not a folder.`);
});

test.each([
  ["EACCES", "stat", "not_allowed", "a.db can't be read: this user may not."],
  ["EEXIST", "open", "conflict", "a.db can't be opened or written: it exists already."],
  ["EROFS", "open", "not_allowed", "a.db can't be opened or written: its file system is read-only."],
  [
    "EMFILE",
    "open",
    "unavailable",
    "a.db can't be opened or written: this process may not open another file.",
  ],
  ["ELOOP", "stat", "usage", "a.db can't be read: its symbolic links lead in a circle."],
  ["ENOENT", "uv_cwd", "not_found", "The current folder is gone, or can't be read."],
  ["ENOSPC", "write", "failed", "a.db can't be opened or written: the disk is full."],
  ["ECONNRESET", "read", "failed", "read ECONNRESET"],
])("%s of %s is %s", (code, syscall, failure, message) => {
  const error = Object.assign(new Error(`${syscall} ${code}`), { code, syscall, path: "a.db" });
  expect(toCliError(error)).toMatchObject({ failure, message });
});

test("a folder that can't be made on a read-only file system is not called missing", () => {
  const error = (code: string) =>
    Object.assign(new Error(code), { code, syscall: "mkdir", path: "mail/inbox" });
  const asked: string[] = [];
  const readOnly = (folder: string): never => {
    asked.push(folder);
    throw error("EROFS");
  };
  expect(fileFault(error("ENOENT"), readOnly)).toMatchObject({
    failure: "not_allowed",
    message: "mail/inbox can't be opened or written: its file system is read-only.",
  });
  expect(asked).toEqual([process.cwd()]);
  expect(fileFault(error("ENOENT"))?.failure).toBe("not_found");
});
