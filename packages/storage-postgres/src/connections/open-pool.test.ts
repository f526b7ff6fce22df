import { silentLogger } from "@posthorn/core/storage";
import { sideOf } from "@posthorn/storage-sql";
import { sql } from "kysely";
import pg from "pg";
import { expect, test } from "vitest";
import { runOnce, testPostgresUrl, unhurried, withParameters } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";
import { openPool } from "./open-pool.ts";
import { defaultTimeouts } from "./timeouts.ts";

test("the host's pool ends at once, although one of its connections listens", async () => {
  const pool = new pg.Pool({ connectionString: await testPostgresUrl(), max: 2 });
  const opened = await openPool({ pool, logger: silentLogger, timeouts: defaultTimeouts });
  const listening = await opened.connectListener?.();
  const ended = new Promise<void>((resolve) => listening?.client.on("end", () => resolve()));
  await pool.query("select 1");
  await pool.end();
  await ended;
  listening?.end();
  expect(pool.totalCount).toBe(0);
  expect(pool.listenerCount("remove")).toBe(0);
  await opened.close();
});

test("a connection that listens outlasts others that the host's pool removes", async () => {
  const pool = new pg.Pool({ connectionString: await testPostgresUrl(), max: 2 });
  const opened = await openPool({ pool, logger: silentLogger, timeouts: defaultTimeouts });
  const listening = await opened.connectListener?.();
  const removed = new Promise((resolve) => pool.once("remove", resolve));
  (await pool.connect()).release(true);
  await removed;
  expect((await listening?.client.query("select 1 as one"))?.rows).toEqual([{ one: 1 }]);
  listening?.end();
  await pool.end();
  await opened.close();
});

test("our own connections have settings of their own, whatever the database's", async () => {
  const options =
    "-c array_nulls=off -c idle_session_timeout=60000 -c default_transaction_isolation=serializable -c jit=on -c synchronous_commit=off";
  const connectionString = withParameters(await testPostgresUrl(), { options });
  const storage = await createPostgresStorage({ connectionString, timeouts: unhurried });
  const { rows } = await sql`select current_setting('array_nulls') as nulls,
    current_setting('idle_session_timeout') as idle, current_setting('jit') as jit,
    current_setting('synchronous_commit') as commit,
    current_setting('default_transaction_isolation') as level`.execute(sideOf(storage).db);
  expect(rows).toEqual([{ nulls: "on", idle: "0", jit: "off", commit: "on", level: "read committed" }]);
  await storage.close();
});

test("commits wait for standbys as the database says", async () => {
  const options = "-c synchronous_commit=remote_apply";
  const connectionString = withParameters(await testPostgresUrl(), { options });
  const storage = await createPostgresStorage({ connectionString, timeouts: unhurried });
  const { rows } = await sql`select current_setting('synchronous_commit') as commit`.execute(
    sideOf(storage).db,
  );
  expect(rows).toEqual([{ commit: "remote_apply" }]);
  await storage.close();
});

test("a limit of the database's on whole transactions ends none of ours, such as a long migration", async (context) => {
  const url = await testPostgresUrl();
  const [server] = await runOnce(url, "select current_setting('server_version_num')::int as version");
  context.skip(Number(server?.["version"]) < 170_000, "older servers know no such limit");
  const connectionString = withParameters(url, { options: "-c transaction_timeout=60000" });
  const storage = await createPostgresStorage({ connectionString, timeouts: unhurried });
  const { rows } = await sql`select current_setting('transaction_timeout') as most`.execute(
    sideOf(storage).db,
  );
  expect(rows).toEqual([{ most: "0" }]);
  await storage.close();
});
