import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { createSqliteStorage } from "./index.ts";

test.each([
  ["tracking host", "domains_tracking", "isTrackingHost"],
  ["return path", "domains_return_path", "isReturnPath"],
] as const)(
  "a %s is sought among the verified ones alone, as any workspace may claim it",
  async (_, index, verb) => {
    const database = new Sqlite(":memory:");
    const storage = await createSqliteStorage({ database });
    await storage.migrate();
    const prepare = database.prepare.bind(database);
    const texts: string[] = [];
    database.prepare = ((text: string) => {
      texts.push(text);
      return prepare(text);
    }) as typeof database.prepare;
    expect(await storage.domains[verb]("t.shop.example")).toBe(false);
    const [text = "", ...others] = texts;
    expect(others).toEqual([]);
    const values = Array<null>(text.split("?").length - 1).fill(null);
    const plan = prepare(`explain query plan ${text}`).all(...values) as { detail: string }[];
    expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining(`_${index} (<expr>=?)`)]);
    await storage.close();
    database.close();
  },
);
