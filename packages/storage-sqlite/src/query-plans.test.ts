import type { EmailFilter } from "@posthorn/core/storage";
import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { createSqliteStorage } from "./index.ts";

const to = "ada@example.com";
const filters: Partial<EmailFilter>[] = [
  { to },
  ...(["sent", "failed", "sending", "queued", "scheduled"] as const).flatMap(
    (status): Partial<EmailFilter>[] => [
      { status },
      { status, to },
      { status, tag: "rare" },
      { status, to, tag: "rare" },
      { status, to, template: "welcome", from: 1, until: 2 },
    ],
  ),
];

test("no list of e-mails compares pairs of two sets, and one by address reads that address's e-mails only", async () => {
  const database = new Sqlite(":memory:");
  database.pragma("foreign_keys = ON");
  const texts: string[] = [];
  const prepare = database.prepare.bind(database);
  const storage = await createSqliteStorage({ database });
  await storage.migrate();
  database.prepare = ((text: string) => {
    texts.push(text);
    return prepare(text);
  }) as typeof database.prepare;
  for (const filter of filters)
    for (const workspaceId of [1, "all"] as const) {
      texts.length = 0;
      await storage.emails.list({ workspaceId, ...filter }, { offset: 0, limit: 20 }, 1);
      const plans = texts.map((text) =>
        prepare(`explain query plan ${text}`)
          .all(...Array<null>(text.split("?").length - 1).fill(null))
          .map((row) => (row as { detail: string }).detail),
      );
      const asked = JSON.stringify({ workspaceId, ...filter });
      // For an id in both of two sets, SQLite seeks each of the one with each of the other.
      const pairs = plans.filter(
        (lines) =>
          lines.some((line) => /=\? AND rowid=\?/.test(line)) &&
          lines.filter((line) => line.startsWith("LIST SUBQUERY")).length > 1,
      );
      expect(pairs, asked).toEqual([]);
      if (filter.to === undefined || filter.tag !== undefined || workspaceId === "all") continue;
      const first = plans.flatMap((lines) => lines.find((line) => /^(?:SEARCH|SCAN)/.test(line)) ?? []);
      expect(
        first.every((line) => line.includes("email_recipients_address")),
        `${asked} ${first}`,
      ).toBe(true);
    }
  await storage.close();
  database.close();
});
