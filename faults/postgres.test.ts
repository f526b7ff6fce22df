import { spawn } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../packages/cli/test/run-command.ts";
import { findFreePort } from "../packages/storage-postgres/test/find-free-port.ts";
import { runOnce } from "../packages/storage-postgres/test/open-test-storage.ts";
import { createTcpProxy } from "../packages/storage-postgres/test/tcp-proxy.ts";
import { needProgram } from "./needs.ts";
import { openFaultWorld, type Served, times } from "./open-fault-world.ts";
import { startCluster } from "./start-cluster.ts";

/** A service on a primary that a standby follows, each over a connection that can be led elsewhere. */
async function openStandbyWorld(settings: string[]) {
  const folder = makeFolder();
  const primary = await startCluster({ folder: join(folder, "primary"), settings });
  await primary.copyTo(join(folder, "standby"));
  writeFileSync(join(folder, "standby/standby.signal"), "");
  const [replication, proxy] = [await createTcpProxy(primary.url), await createTcpProxy(primary.url)];
  onTestFinished(() => replication.close());
  onTestFinished(() => proxy.close());
  const { port } = new URL(replication.urlFor(primary.url));
  const startStandby = () =>
    startCluster({
      folder: join(folder, "standby"),
      settings: [`primary_conninfo=host=127.0.0.1 port=${port} user=posthorn password=posthorn`],
    });
  const standby = await startStandby();
  const world = await openFaultWorld({ databaseUrl: proxy.urlFor(primary.url) });
  return {
    primary,
    standby,
    startStandby,
    replication,
    world,
    served: await world.serve(),
    async failOver() {
      await runOnce(standby.url, "select pg_promote()");
      proxy.leadTo(standby.url);
    },
  };
}

test("the primary dies, and its synchronous standby takes over: nothing is lost", async ({ task }) => {
  const { primary, world, served, failOver } = await openStandbyWorld(["synchronous_standby_names=*"]);
  expect(await times(20, served.send)).toEqual(Array(20).fill(202));

  const statuses: number[] = [];
  const sending = sendUntil(
    served,
    statuses,
    () => statuses.filter((status) => status === 202).length >= 400,
  );
  await expect.poll(() => statuses.length, { timeout: 30_000 }).toBeGreaterThan(50);
  await primary.kill();
  const from = performance.now();
  await failOver();
  await expect.poll(served.send, { timeout: 30_000 }).toBe(202);
  const away = performance.now() - from;
  await sending;
  expect(served.child.exitCode).toBeNull();
  expect([...new Set(statuses)].filter((status) => status !== 202 && status !== 503)).toEqual([]);
  const { lost, twice } = await world.settled();
  expect(lost).toEqual([]);
  await served.stop();
  const refused = statuses.filter((status) => status !== 202).length;
  task.meta.figures = `accepting again after ${(away / 1000).toFixed(1)} s; ${world.accepted.size} accepted, ${refused} refused: 0 lost, ${twice} twice`;
});

test("the only synchronous standby is away: no send is answered with 202, and all goes on once it is back", async ({
  task,
}) => {
  const { standby, startStandby, world, served } = await openStandbyWorld(["synchronous_standby_names=*"]);
  expect(await times(20, served.send)).toEqual(Array(20).fill(202));
  await world.settled();
  await standby.kill();
  const from = performance.now();
  expect(await served.send()).toBe(503);
  const waited = performance.now() - from;
  expect((await fetch(`${served.url}/readyz`)).status).toBe(200);
  await startStandby();
  await expect.poll(served.send, { timeout: 30_000 }).toBe(202);
  expect(served.child.exitCode).toBeNull();
  const { lost, twice } = await world.settled();
  expect({ lost, twice }).toEqual({ lost: [], twice: 0 });
  await served.stop();
  task.meta.figures = `503 after ${(waited / 1000).toFixed(1)} s; ${world.accepted.size} accepted: 0 lost, 0 twice`;
});

test("the primary dies, and an asynchronous standby that lags takes over: only unreplicated data is lost", async ({
  task,
}) => {
  const { primary, standby, replication, world, served, failOver } = await openStandbyWorld([]);
  expect(await times(50, served.send)).toEqual(Array(50).fill(202));
  await world.settled();
  const before = new Set(world.accepted);
  const isCaughtUp = async () => {
    const [ours] = await runOnce(primary.url, "select pg_current_wal_lsn()::text as at");
    const question = `select pg_last_wal_replay_lsn() >= '${String(ours?.["at"])}'::pg_lsn as is_there`;
    return (await runOnce(standby.url, question))[0]?.["is_there"];
  };
  await expect.poll(isCaughtUp, { timeout: 30_000 }).toBe(true);

  replication.blackhole();
  // More than the standby skips by itself: PostgreSQL logs 32 ids of a sequence at once.
  expect(await times(100, served.send)).toEqual(Array(100).fill(202));
  const late = new Set([...world.accepted].filter((id) => !before.has(id)));
  const lastIds = `select max(id)::int as emails,
    pg_sequence_last_value('posthorn.events_id_seq')::int as events from posthorn.emails`;
  const [issued] = await runOnce(primary.url, lastIds);
  await primary.kill();
  await failOver();
  const [left] = await runOnce(standby.url, "select max(id) as emails from posthorn.emails");
  await expect.poll(served.send, { timeout: 30_000 }).toBe(202);
  expect(await times(30, served.send)).toEqual(Array(30).fill(202));
  expect(served.child.exitCode).toBeNull();
  const [added] = await runOnce(
    standby.url,
    `select count(*)::int as count, min(id) > ${issued?.["emails"]} as "isBehind" from posthorn.emails where id > ${left?.["emails"]}`,
  );
  expect(added).toEqual({ count: 31, isBehind: true });
  const [first] = await runOnce(
    standby.url,
    `select min(id) > ${issued?.["events"]} as "isBehind" from posthorn.events where created_at > (select min(created_at) from posthorn.emails where id > ${issued?.["emails"]})`,
  );
  expect(first).toEqual({ isBehind: true });
  await world.settled();
  const known = await Promise.all(
    [...world.accepted].map(async (id) => ({
      id,
      is: await world.storage.emails.find(world.workspaceId, id, Date.now()),
    })),
  );
  const gone = known.flatMap(({ id, is }) => (is === undefined ? id : []));
  expect(gone.filter((id) => !late.has(id))).toEqual([]);
  expect(gone.length).toBeGreaterThan(0);
  expect(known.flatMap(({ is }) => (is === undefined || is.status === "sent" ? [] : is.status))).toEqual([]);
  expect([...world.copies].filter(([id, copies]) => copies > 1 && !late.has(id))).toEqual([]);
  await served.stop();
  task.meta.figures = `${world.accepted.size} accepted, ${gone.length} of the ${late.size} that the standby had not got are unknown to it, no other`;
});

/** Lets eight callers send, one e-mail after the other each, until enough is done. */
async function sendUntil(served: Served, statuses: number[], isEnough: () => boolean): Promise<void> {
  const caller = async (): Promise<void> => {
    while (!isEnough()) {
      const status = await served.send();
      statuses.push(status);
      if (status !== 202) await delay(100);
    }
  };
  await Promise.all(Array.from({ length: 8 }, caller));
}

test.for(["session", "transaction", "transaction, time-outs ignored,"] as const)(
  "PgBouncer in %s mode in front of PostgreSQL",
  async (mode, context) => {
    needProgram(context, "pgbouncer");
    const folder = makeFolder();
    const cluster = await startCluster({ folder: join(folder, "data") });
    const port = await findFreePort();
    const server = new URL(cluster.url);
    const settings = [
      "[databases]",
      `postgres = host=127.0.0.1 port=${server.port} user=posthorn password=posthorn`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = any",
      `pool_mode = ${mode.split(",", 1)[0]}`,
      `default_pool_size = ${mode === "session" ? 30 : 4}`,
    ];
    // A common setting of poolers for other clients' sake: our connections' startup parameters are not refused.
    if (mode.includes("ignored"))
      settings.push(
        "ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout",
      );
    const file = join(folder, "pgbouncer.ini");
    writeFileSync(file, `${settings.join("\n")}\n`);
    chmodSync(folder, 0o755);
    const identity = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
    const bouncer = spawn("pgbouncer", [...identity, file], { stdio: "ignore" });
    onTestFinished(() => void bouncer.kill("SIGKILL"));
    const pooled = new URL(cluster.url);
    pooled.port = String(port);
    const answers = (): Promise<boolean> =>
      runOnce(pooled.href, "select 1").then(
        () => true,
        () => false,
      );
    await expect.poll(answers, { timeout: 10_000 }).toBe(true);

    const world = await openFaultWorld({ databaseUrl: cluster.url, serviceUrl: pooled.href });
    const env: Record<string, string> =
      mode === "transaction" ? { SERVICE_DATABASE_LISTEN_URL: cluster.url } : {};
    const all = await Promise.all([world.serve({ env }), world.serve({ env })]);
    const sent = await Promise.all(
      all.flatMap((served) => Array.from({ length: 4 }, () => times(25, served.send))),
    );
    expect(sent.flat().filter((status) => status !== 202)).toEqual([]);
    expect(await world.settled()).toEqual({ lost: [], ghosts: [], twice: 0 });
    await Promise.all(all.map((served) => served.stop()));
    context.task.meta.figures = "200 mails by two processes: 0 lost, 0 twice";
  },
);
