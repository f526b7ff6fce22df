import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  newSchema,
  runOnce,
  testPostgresUrl,
  unhurried,
  withParameters,
} from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../index.ts";
import { examinePostgres } from "../internal.ts";

test("reports who uses the database, idle transactions and unread replication slots", async () => {
  const connectionString = await testPostgresUrl();
  const storage = await createPostgresStorage({ connectionString, schema: newSchema(), timeouts: unhurried });
  onTestFinished(() => storage.close());
  const client = new pg.Client({ connectionString, application_name: "a shell left open" });
  await client.connect();
  onTestFinished(() => client.end());
  // Idle, it has a number and no snapshot.
  await client.query("begin; select pg_current_xact_id()");
  const { pid } = (await client.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0] ?? {};
  await runOnce(connectionString, "select pg_create_physical_replication_slot('forgotten', true)");
  onTestFinished(async () => {
    await runOnce(connectionString, "select pg_drop_replication_slot('forgotten')");
  });

  // A former test's tables may still be emptied, in an older transaction.
  const ofShell = { application: "a shell left open", isIdle: true };
  const state = await vi.waitFor(
    async () => {
      const found = await examinePostgres(connectionString);
      expect(found.oldestTransaction).toMatchObject(ofShell);
      // Snapshots that others take now are as old.
      expect(found.oldestVersions[0]?.holder).toBe(`the connection of process ${pid}`);
      return found;
    },
    { timeout: 60_000 },
  );
  expect(state.isPooled).toBe(false);
  expect(state.sessions.length).toBeGreaterThan(0);
  expect(new Set(state.sessions.map(({ application }) => application))).toEqual(new Set(["posthorn"]));
  expect(state.oldestTransaction).toEqual({
    ...ofShell,
    pid,
    ageMs: expect.any(Number),
  });
  expect(state.oldestVersions[0]?.transactions).toEqual(expect.any(Number));
  expect(state.oldestPrepared).toBeUndefined();
  expect(state).toMatchObject({ user: expect.any(String), seesAll: true, barred: [] });
  expect(state.unusedSlots).toEqual([{ name: "forgotten", keptBytes: expect.any(Number), isLost: false }]);
});

test("a slot that the server has invalidated is told as lost, and one that nobody has read yet not at all", async () => {
  const connectionString = await testPostgresUrl();
  const run = (text: string) => runOnce(connectionString, text);
  for (const [name, keeps] of Object.entries({ lost: true, fresh: false })) {
    await run(`select pg_create_physical_replication_slot('${name}', ${keeps})`);
    onTestFinished(async () => void (await run(`select pg_drop_replication_slot('${name}')`)));
  }
  await run("alter system set max_slot_wal_keep_size = '1MB'");
  onTestFinished(async () => {
    await run("alter system reset max_slot_wal_keep_size");
    await run("select pg_reload_conf()");
  });
  await run("select pg_reload_conf()");
  const lost = [{ name: "lost", keptBytes: 0, isLost: true }];
  // The checkpointer may learn of the setting only after a checkpoint.
  await vi.waitFor(
    async () => {
      await run("select pg_switch_wal(), pg_current_xact_id()");
      await run("checkpoint");
      expect((await examinePostgres(connectionString)).unusedSlots).toEqual(lost);
    },
    { timeout: 60_000 },
  );
});

test("tells whether the user sees the transactions of others", async () => {
  const connectionString = await testPostgresUrl();
  const role = newSchema();
  await runOnce(connectionString, `create role ${role} login password 'x'`);
  onTestFinished(async () => void (await runOnce(connectionString, `drop role ${role}`)));
  const url = new URL(connectionString);
  url.username = role;
  url.password = "x";
  expect(await examinePostgres(url.href)).toMatchObject({ user: role, seesAll: false });
  await runOnce(connectionString, `grant pg_read_all_stats to ${role}`);
  expect((await examinePostgres(url.href)).seesAll).toBe(true);
});

test.each([
  ["posthorn - 10.0.0.1:5000", "posthorn (examining) - 10.0.0.2:5000"],
  ["shop mail - 10.0.0.1:5000", "shop mail - [::1]:5000"],
])("finds a service behind PgBouncer that adds its address to its name: %s", async (name, own) => {
  const connectionString = await testPostgresUrl();
  const client = new pg.Client(withParameters(connectionString, { application_name: name }));
  await client.connect();
  onTestFinished(() => client.end());
  const { sessions } = await examinePostgres(withParameters(connectionString, { application_name: own }));
  expect(sessions.map(({ application }) => application)).toContain(name);
});
