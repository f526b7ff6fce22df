import type { Handle } from "@posthorn/storage-sql";
import type { CompiledQuery } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { planningSchema, useRecordingStorage } from "../../test/open-recording-storage.ts";
import { createFindParts } from "./find-parts.ts";

const schema = planningSchema;
const rows = 2_000;
const seed = `
  set search_path to "${schema}";
  insert into email_queue (email_id, route, lane, due_at, queued_at, bytes)
    select i, case when i % 3 = 0 then 'service' else 'w:' || i % 7 end, i % 3, i, 1, 1 from generate_series(1, ${rows}) as i;
  insert into parked_routes (route, owner, parked_at, parked_until, reason)
    values ('w:1', 'server', 1, null, ''), ('w:2', 'server', 1, 10, ''), ('w:3', 'server', 1, 900, '');
  analyze email_queue`;

const opened = useRecordingStorage(seed);

const [queue, parked] = ["email_queue", "parked_routes"].map((table) => `"${schema}"."${table}"`) as [
  string,
  string,
];

/** Looks at the queue, each of which takes as long as its way is said to take. */
function createLooks() {
  let time = 0;
  const takes = { usual: 0, scan: 0 };
  const looks: CompiledQuery[] = [];
  const findParts = createFindParts(queue, parked, () => time);
  const wayOf = ({ sql }: CompiledQuery) => (sql.includes("recursive") ? "usual" : "scan");
  const db = {
    async executeQuery(query: CompiledQuery) {
      looks.push(query);
      time += takes[wayOf(query)];
      return opened.pool.query(query.sql, [...query.parameters]);
    },
  } as unknown as Handle;
  const start = { route: "w:5", lane: 1 as const, since: 0 };
  return {
    takes,
    looks,
    pass: (ms: number) => {
      time += ms;
    },
    async look({ isWhole = true } = {}) {
      const found = await findParts(db, { starts: isWhole ? [] : [start], now: 500, limit: 99 });
      return { way: wayOf(looks.at(-1) as CompiledQuery), found };
    },
  };
}

test("looks that walk over many e-mails that are gone read the table instead, those from floors apart, as long as it is faster", async () => {
  const { look, takes, pass } = createLooks();
  expect((await look()).way).toBe("usual");
  takes.usual = 5_000;
  const { found } = await look();
  expect(found.length).toBeGreaterThan(10);
  takes.scan = 600;
  expect(await look()).toEqual({ way: "scan", found });
  expect((await look()).way).toBe("scan");
  takes.usual = 9;
  expect((await look({ isWhole: false })).way).toBe("usual");
  expect((await look({ isWhole: false })).way).toBe("usual");
  expect((await look()).way).toBe("scan");
  pass(600_000);
  expect((await look()).way).toBe("usual");
  expect((await look()).way).toBe("usual");
});

test("where much waits, and reading it takes longer, looks stay as they are", async () => {
  const { look, takes } = createLooks();
  Object.assign(takes, { usual: 300, scan: 900 });
  const ways = [];
  for (let n = 0; n < 4; n += 1) ways.push((await look()).way);
  expect(ways).toEqual(["usual", "scan", "usual", "usual"]);
});

test("that reading uses no index of the queue", async () => {
  const { look, looks, takes } = createLooks();
  takes.usual = 300;
  await look();
  await look();
  const client = await opened.pool.connect();
  onTestFinished(() => client.release(true));
  await client.query("set enable_seqscan = off");
  const { sql, parameters } = looks.at(-1) as CompiledQuery;
  const plan = await client.query(`explain ${sql}`, [...parameters]);
  expect(JSON.stringify(plan.rows)).toContain("Seq Scan on email_queue");
});
