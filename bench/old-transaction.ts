/**
 * PostgreSQL under a transaction that stays open: mails delivered per second at the end and at the beginning, and what
 * each costs the server, as the rate itself is below what it could take; rows and write-ahead log that each leaves behind.
 *
 * node --conditions=posthorn-source bench/old-transaction.ts [seconds] [mails a second]
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startTestServer } from "../packages/storage-postgres/test/test-server.ts";
import { createEmails } from "./create-emails.ts";
import { openBenchService } from "./open-bench-service.ts";
import { findPostmaster } from "./postmaster.ts";
import { cpuOf } from "./process-usage.ts";
import { report, round } from "./table.ts";

/** Batches per second. */
const beat = 20;

/** Mails delivered until a second has passed, and the server's CPU in µs. */
interface Mark {
  delivered: number;
  cpu: number;
}

export async function run(seconds = 300, rate = 1_000): Promise<void> {
  const given = process.env["TEST_POSTGRES_URL"];
  const server =
    given === undefined ? await startTestServer() : { connectionString: given, stop: async () => {} };
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  let delivered = 0;
  const schema = "posthorn_bench";
  await client.query(`drop schema if exists ${schema} cascade`);
  const url = new URL(server.connectionString);
  url.searchParams.set("schema", schema);
  const service = await openBenchService(url.href, {
    concurrency: 40,
    async send({ envelope }) {
      delivered += 1;
      const reply = { outcome: "accepted", code: 250, reply: "ok" } as const;
      return { recipients: envelope.to.map((address) => ({ address, ...reply })), inDoubt: false };
    },
  });
  const ask = async (text: string): Promise<number> =>
    Number((await client.query<{ value: string }>(`select (${text}) as value`)).rows[0]?.value);
  const old = new pg.Client({ connectionString: server.connectionString });
  await old.connect();
  try {
    const { contentId, workspaces } = service;
    const wal = "pg_current_wal_lsn() - '0/0'::pg_lsn";
    await old.query("begin isolation level repeatable read");
    await old.query("select count(*) from pg_class");
    const walBefore = await ask(wal);
    service.posthorn.start();
    const emailOf = createEmails({ workspaceId: workspaces[0], contentId });
    const postmaster = await findPostmaster(server.connectionString);
    const mark = (): Mark => ({
      delivered,
      cpu: postmaster === undefined ? Number.NaN : cpuOf(postmaster),
    });
    const marks = [mark()];
    let inserted = 0;
    const begun = performance.now();
    for (let n = 0; n < seconds * beat; n += 1) {
      const batch = Math.round(rate / beat);
      const from = inserted;
      await service.insert(batch, (number) => ({ ...emailOf(from + number), dueAt: Date.now() }));
      inserted += batch;
      if (n % beat === beat - 1) marks.push(mark());
      await sleep(Math.max(0, begun + ((n + 1) * 1_000) / beat - performance.now()));
    }
    const fifth = Math.max(1, Math.floor(seconds / 5));
    const first = between(marks[0], marks[fifth], fifth);
    const last = between(marks.at(-1 - fifth), marks.at(-1), fifth);
    const dead = await ask(
      `select n_dead_tup from pg_stat_user_tables where schemaname = '${schema}' and relname = 'email_queue'`,
    );
    report(
      "under an old transaction",
      [
        { part: "the first fifth", ...first },
        { part: "the last fifth", ...last },
      ],
      {
        ratio_rate: round(last["delivered a second"] / first["delivered a second"], 3),
        ratio_cpu: round(last["the server's CPU µs a mail"] / first["the server's CPU µs a mail"], 3),
        dead_rows_a_mail: round(dead / inserted, 2),
        wal_bytes_a_mail: round(((await ask(wal)) - walBefore) / inserted),
      },
    );
  } finally {
    await old.end();
    await service.close();
    await client.query(`drop schema if exists ${schema} cascade`);
    await client.end();
    await server.stop();
  }
}

function between(begin: Mark | undefined, end: Mark | undefined, seconds: number) {
  const mails = (end?.delivered ?? 0) - (begin?.delivered ?? 0);
  return {
    "delivered a second": round(mails / seconds),
    "the server's CPU µs a mail": round(((end?.cpu ?? 0) - (begin?.cpu ?? 0)) / mails),
  };
}

if (import.meta.main) await run(...process.argv.slice(2).map(Number));
