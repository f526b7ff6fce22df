import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorld, type WorldOptions } from "@posthorn/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { findOrMakeDevWorld, keptFileOf, makeDevFolder } from "./dev-world.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-dev-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function open(options: WorldOptions = {}) {
  const { posthorn, close } = await createWorld(await openTestSqlite(), options);
  onTestFinished(close);
  const folder = makeFolder();
  const start = () => findOrMakeDevWorld(posthorn, `sqlite:${join(folder, "dev.db")}`, "http://127.0.0.1");
  const events = async () => (await posthorn.events.list({})).items;
  return { posthorn, start, events };
}

test("keeps login and key, and leaves no event of having looked at them", async () => {
  const { start, events } = await open();
  const made = await start();
  const before = await events();
  expect(await start()).toEqual(made);
  expect(await events()).toEqual(before);
});

test("replaces a login whose password was changed, and that of a user who is the host's", async () => {
  const { posthorn, start } = await open();
  const { email, ...made } = await start();
  const { id: userId } = await posthorn.users.getByEmail({ email });
  await posthorn.users.setPassword({ userId, password: "correct horse battery" });
  const { password } = await start();
  expect(password).not.toBe(made.password);
  const logIn = async (password: string) => (await posthorn.accounts.login({ email, password })).user.id;
  expect(await logIn(password)).toBe(userId);
  await posthorn.users.link({ userId, externalId: "user-41" });
  expect(await logIn((await start()).password)).toBe(userId);
});

test("makes a password as long as the settings ask for", async () => {
  const { posthorn, start } = await open({ passwordMinLength: 256 });
  const { email, password } = await start();
  expect(await posthorn.accounts.login({ email, password })).toMatchObject({ user: { email } });
});

test.each([
  ["sqlite:./.posthorn/dev.db", "./.posthorn/dev.json"],
  ["sqlite:own.sqlite", "own.sqlite.json"],
  ["postgres://127.0.0.1/shop", ".posthorn/postgres.json"],
  ["sqlite::memory:", undefined],
])("keeps the login of %s in %s", (databaseUrl, file) => {
  expect(keptFileOf(databaseUrl)).toBe(file);
});

test("Git leaves out .posthorn, also one that was there, and no other folder that was there", () => {
  const folder = makeFolder();
  const own = join(folder, ".posthorn");
  const ignored = join(own, ".gitignore");
  mkdirSync(own);
  makeDevFolder(own);
  expect(readFileSync(ignored, "utf8")).toBe("*\n");
  writeFileSync(ignored, "dev.*\n");
  makeDevFolder(own);
  expect(readFileSync(ignored, "utf8")).toBe("dev.*\n");
  makeDevFolder(folder);
  expect(existsSync(join(folder, ".gitignore"))).toBe(false);
});
