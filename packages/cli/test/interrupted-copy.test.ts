import { join } from "node:path";
import type { Storage } from "@posthorn/core";
import { createWorld, type World } from "@posthorn/core/testing";
import { type CopyOptions, copyTables, sideOf } from "@posthorn/storage-sql";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { openTestPostgres } from "../../storage-postgres/test/open-test-storage.ts";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { makeFolder, runCommand } from "./run-command.ts";

const copy = (from: Storage, to: Storage, options?: CopyOptions) =>
  copyTables(sideOf(from), sideOf(to), options);

/** A service with two API keys and a suppressed address, whose tables are copied early and late. */
async function openSource() {
  const storage = await openTestSqlite();
  const world = await createWorld(storage);
  onTestFinished(() => world.close());
  const { asOwner: call } = await world.addWorkspace();
  const { id: keyId } = await world.posthorn.apiKeys.create({ name: "shop" }, call);
  await world.posthorn.apiKeys.create({ name: "another" }, call);
  await world.posthorn.suppressions.create({ email: "gone@example.com" }, call);
  return { storage, posthorn: world.posthorn, call, keyId };
}

async function openTarget(filename = ":memory:"): Promise<Storage> {
  const storage = await createSqliteStorage({ filename });
  onTestFinished(() => storage.close());
  await storage.migrate();
  return storage;
}

/** Copies until the rows of this many chunks are there. */
async function copyPart(from: Storage, to: Storage, chunks: number): Promise<void> {
  const interruption = new AbortController();
  let left = chunks;
  const onCopied = (): void => {
    left -= 1;
    if (left === 0) interruption.abort(new Error("interrupted"));
  };
  await expect(copy(from, to, { signal: interruption.signal, onCopied })).rejects.toThrow("interrupted");
}

test("an interrupted copy is not continued if a copied row was changed since: a revoked key would be valid again", async () => {
  const { storage, posthorn, call, keyId } = await openSource();
  const target = await openTarget();
  const keysIn = (): Promise<unknown[]> => sideOf(target).db.selectFrom("api_keys").selectAll().execute();
  while ((await keysIn()).length === 0) await copyPart(storage, target, 1);
  await posthorn.apiKeys.revoke({ apiKeyId: keyId }, call);
  await expect(copy(storage, target)).rejects.toMatchObject({
    name: "CopyRefused",
    message: expect.stringMatching(/^the target's table api_keys .*used since the copy was interrupted/),
  });
});

test("a source that is used during the copy is noticed, also if each table has as many rows as its copy", async () => {
  const { storage, posthorn, call, keyId } = await openSource();
  const target = await openTarget();
  const { db } = sideOf(target);
  let revoked: Promise<unknown> | undefined;
  // Between two chunks: the key is there already, and the event of its end comes along.
  const signal = { throwIfAborted() {} } as AbortSignal;
  const used = copy(storage, target, {
    signal,
    onCopied: () => {
      revoked ??= posthorn.apiKeys.revoke({ apiKeyId: keyId }, call);
    },
  });
  await expect(used).rejects.toMatchObject({ name: "CopyRefused" });
  await revoked;
  expect(await db.selectFrom("facts").select("name").execute()).toContainEqual({ name: "incomplete_copy" });
});

test("nothing starts on a copy that is incomplete, nor is it copied; continued, it is as the source", async () => {
  const { storage } = await openSource();
  const cwd = makeFolder();
  const target = await openTarget(join(cwd, "target.db"));
  await copyPart(storage, target, 2);
  const env = { SERVICE_SMTP_URL: "capture:", SERVICE_SECRET_KEY: "only for the tests, 0123456789abcdef" };
  const started = await runCommand(["queue", "status", "--database-url", "sqlite:target.db"], { cwd, env });
  expect(started).toMatchObject({ code: 5, stderr: expect.stringContaining("rows are missing") });
  await expect(copy(target, await openTarget())).rejects.toThrow("the source is a copy that was interrupted");
  await copy(storage, target);
  const world: World = await createWorld(target);
  onTestFinished(() => world.close());
  expect(await world.posthorn.suppressions.list({}, { workspaceId: 1 })).toMatchObject({
    items: [{ email: "gone@example.com" }],
  });
});

test("a copy is continued though the source has a text with NUL, which PostgreSQL can't hold, such as a mail server's reply", async () => {
  const { storage } = await openSource();
  const target = await openTestPostgres();
  onTestFinished(() => target.close());
  await storage.operations.replaceFact("made_by", "a\0b");
  await copy(storage, target);
  expect(await target.operations.findFact("made_by")).toBe("a\ufffdb");
  await copy(storage, target);
});
