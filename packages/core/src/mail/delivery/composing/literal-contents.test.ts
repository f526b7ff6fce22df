import { expect, test } from "vitest";
import { openTestSqlite } from "../../../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld } from "../../../testing/index.ts";

test("contents of e-mails without a template are read together, at most 25 at a time, each once, and arrive as written", async () => {
  const storage = await openTestSqlite();
  const reads: number[][] = [];
  const world = await createWorld({
    ...storage,
    contents: {
      ...storage.contents,
      findMany(ids) {
        reads.push(ids);
        return storage.contents.findMany(ids);
      },
    },
  });
  const { id: workspaceId } = await world.addWorkspace();
  for (const text of ["one", "two", "three", "one"])
    await world.posthorn.emails.send({ subject: text, text, to: ["ada@example.com"] }, { workspaceId });
  await world.posthorn.drain();
  const arrived = world.mailer.inbox.all().map(({ subject, text }) => [subject, text]);
  expect(arrived.sort()).toEqual(["one", "one", "three", "two"].map((text) => [text, text]));
  expect(reads.map((ids) => new Set(ids).size)).toEqual([3]);
  const many = Array.from({ length: 60 }, (_, number) => `text ${number}`);
  for (const text of many)
    await world.posthorn.emails.send({ subject: text, text, to: ["ada@example.com"] }, { workspaceId });
  await world.posthorn.drain();
  expect(Math.max(...reads.map((ids) => ids.length))).toBe(25);
  expect(world.mailer.inbox.all()).toHaveLength(64);
  await world.close();
});
