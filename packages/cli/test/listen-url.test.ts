import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { runOnce, testPostgresUrl, withParameters } from "../../storage-postgres/test/open-test-storage.ts";
import { openStorage } from "../src/service/database/open-storage.ts";
import { makeFolder, runCommand } from "./run-command.ts";

test("listens for notifications over the listening URL, and sends everything else over the database URL", async () => {
  const database_url = await testPostgresUrl();
  const listener = `listener_${randomBytes(6).toString("hex")}`;
  const database_listen_url = withParameters(database_url, { application_name: listener });
  const storage = await openStorage({ database_url, database_listen_url });
  onTestFinished(() => storage.close());
  const connections = () =>
    runOnce(database_url, `select pid from pg_stat_activity where application_name = '${listener}'`);
  await storage.now();
  expect(await connections()).toEqual([]);
  storage.subscribe(() => {});
  await expect.poll(connections).toHaveLength(1);
});

test("refuses a listening URL that is not PostgreSQL's, without repeating its password", async () => {
  const { code, stderr } = await runCommand(["config", "show"], {
    cwd: makeFolder(),
    env: { SERVICE_DATABASE_LISTEN_URL: "mysql://user:opensesame@host/mail" },
  });
  expect(code).toBe(2);
  expect(stderr).toContain("SERVICE_DATABASE_LISTEN_URL");
  expect(stderr).not.toContain("opensesame");
});
