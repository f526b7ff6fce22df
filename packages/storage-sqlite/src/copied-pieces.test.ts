import { copyTables, sideOf } from "@posthorn/storage-sql";
import { expect, onTestFinished, test } from "vitest";
import { NOW, nextId } from "../../core/src/testing/contract/sending-world.ts";
import { openTestSqlite } from "../test/open-test-sqlite.ts";

test("of returned messages, each up to a megabyte, few are copied at once", async () => {
  const [source, target] = [await openTestSqlite(), await openTestSqlite()];
  onTestFinished(async () => {
    await source.close();
    await target.close();
  });
  const { id: workspaceId } = await source.workspaces.insert({ name: "Acme", createdAt: NOW });
  const report = { workspaceId, kind: "other", source: "dsn", emailId: undefined } as const;
  for (let left = 60; left > 0; left -= 1) {
    const id = nextId();
    await source.reports.keep({ ...report, effects: [], id, digest: id, raw: "", createdAt: NOW });
  }
  const pieces: number[] = [];
  await copyTables(sideOf(source), sideOf(target), { onCopied: (rows) => void pieces.push(rows) });
  expect(pieces.slice(-3)).toEqual([25, 25, 10]);
});
