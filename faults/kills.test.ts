import { expect, test } from "vitest";
import { expectDuplicatesExplained, expectNothingLostOrMadeUp } from "../packages/cli/test/judge-account.ts";
import { sendThroughEnds } from "../packages/cli/test/send-through-ends.ts";
import { ownTestServer } from "../packages/storage-postgres/test/open-test-storage.ts";

/** `FAULTS_KILLS=500` for a night. */
const kills = Number(process.env["FAULTS_KILLS"] ?? 20);
const messages = 50 * kills;

test.for(["SQLite", "PostgreSQL"])(
  "processes killed at random moments: %s",
  { timeout: 30_000 * (kills + 4) },
  async (engine, { task }) => {
    const database = engine === "SQLite" ? undefined : (await ownTestServer()).connectionString;
    const account = await sendThroughEnds("SIGKILL", kills, messages, database);
    await expectNothingLostOrMadeUp(account, messages);
    expect(account.endings).toEqual(Array(kills).fill("SIGKILL"));
    const duplicates = await expectDuplicatesExplained(account, kills);
    task.meta.figures = `${messages} mails, ${kills} kills: 0 lost, 0 made up, ${duplicates} twice, each explained`;
  },
);
