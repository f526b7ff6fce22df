import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorld } from "@posthorn/core/testing";
import Sqlite from "better-sqlite3";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createSqliteStorage } from "../create-sqlite-storage.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "posthorn-copy-"));
  const made = folder;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
});

async function open(name: string) {
  const storage = await createSqliteStorage({ filename: join(folder, name) });
  const world = await createWorld(storage);
  onTestFinished(() => world.close());
  return { ...world, storage };
}

/** A service that has delivered one e-mail and has another waiting, and a copy of its file by SQLite's own means. */
async function copyOfRunning({ waits = true } = {}) {
  const original = await open("a.db");
  const { id: workspaceId } = await original.addWorkspace();
  const send = () =>
    original.posthorn.emails.send({ to: ["ada@example.com"], subject: "Hi", text: "Hello" }, { workspaceId });
  await send();
  await original.posthorn.drain();
  if (waits) await send();
  const seenAt = await original.storage.now();
  await original.storage.operations.beat("w", seenAt);
  return { original, seenAt };
}

async function copyTo(name: string): Promise<void> {
  const source = new Sqlite(join(folder, "a.db"), { readonly: true });
  await source.backup(join(folder, name));
  source.close();
}

const idsOf = async ({ storage }: Awaited<ReturnType<typeof open>>) => await storage.events.lastId();

test("a copy of a file from which a service delivered delivers nothing until it is resumed, once", async () => {
  const { original, seenAt } = await copyOfRunning();
  await copyTo("b.db");
  const copy = await open("b.db");
  expect(await copy.posthorn.drain()).toBe(0);
  expect(await copy.posthorn.queue.status({})).toMatchObject({
    due: 1,
    restoredCopy: { copiedAt: seenAt },
    workers: [],
  });
  await copy.posthorn.queue.resume({});
  expect(await idsOf(copy)).toBeGreaterThan((await idsOf(original)) + 1_000_000_000);
  await copy.storage.operations.beat("w", seenAt);
  await copy.posthorn.migrate();
  expect(await copy.posthorn.drain()).toBe(1);
  expect(await original.posthorn.drain()).toBe(1);
});

test("a copy in which nothing waits is not held, and assigns none of the original's next ids", async () => {
  const { original } = await copyOfRunning({ waits: false });
  await copyTo("b.db");
  const copy = await open("b.db");
  expect(await copy.posthorn.queue.status({})).toMatchObject({ paused: undefined, restoredCopy: undefined });
  await copy.posthorn.queue.pause({});
  expect(await idsOf(copy)).toBeGreaterThan((await idsOf(original)) + 1_000_000_000);
});

test("a file that was moved by copying it after a stop delivers at once, and its ids go on", async () => {
  const { original } = await copyOfRunning();
  await original.storage.operations.forgetWorker("w");
  await copyTo("b.db");
  const copy = await open("b.db");
  expect(await copy.posthorn.drain()).toBe(1);
  expect(await idsOf(copy)).toBeLessThan(1_000);
});

test("a file whose service was killed delivers at the next start", async () => {
  await copyOfRunning();
  const next = await open("a.db");
  expect(await next.posthorn.drain()).toBe(1);
});
