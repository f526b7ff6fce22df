import { silentLogger } from "@posthorn/core/storage";
import pg from "pg";
import { expect, test } from "vitest";
import { testPostgresUrl } from "../../test/open-test-storage.ts";
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
