import { type Storage, StorageUnavailable, type Suppression } from "@posthorn/core/storage";
import { CompiledQuery, type QueryResult } from "kysely";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { lockTable } from "../../test/lock-table.ts";
import { openTestPostgres, takeTestSchema, unhurried } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../index.ts";
import { createSharedReads } from "./shared-reads.ts";

/** Sessions that answer each query by `answer`, with what was asked of each and its releases. */
function openSessions(answer: (query: CompiledQuery) => Promise<object[]>) {
  const sessions: { asked: CompiledQuery[]; released: number }[] = [];
  return {
    sessions,
    open: async () => {
      const session = {
        asked: [] as CompiledQuery[],
        released: 0,
        async query<R>(query: CompiledQuery): Promise<QueryResult<R>> {
          session.asked.push(query);
          return { rows: (await answer(query)) as R[] };
        },
        release() {
          session.released += 1;
        },
      };
      sessions.push(session);
      return session;
    },
  };
}

const joined = { timeoutMs: 1_000, isJoined: true };
const apart = { timeoutMs: 1_000, isJoined: false };

const byId = (table: string, id: number) => CompiledQuery.raw(`select * from ${table} where id = $1`, [id]);

test("reads of one turn are one statement, and each gets its own rows", async () => {
  const { sessions, open } = openSessions(async () => [{ r0: '[{"id":1}]', r1: null }]);
  const read = createSharedReads();
  const found = await Promise.all([read(open, byId("a", 1), joined), read(open, byId("b", 2), joined)]);
  expect(found).toEqual([{ rows: [{ id: 1 }] }, { rows: [] }]);
  await new Promise(setImmediate);
  expect(sessions).toMatchObject([
    {
      asked: [
        {
          sql: "select (select json_agg(found) from (select * from a where id = $1) as found)::text as r0, (select json_agg(found) from (select * from b where id = $2) as found)::text as r1",
          parameters: [1, 2],
        },
      ],
      released: 1,
    },
  ]);
});

test("a read alone in its turn is sent unchanged, on a session of its own", async () => {
  const { sessions, open } = openSessions(async () => [{ id: 1 }]);
  const read = createSharedReads();
  expect(await read(open, byId("a", 1), joined)).toEqual({ rows: [{ id: 1 }] });
  await read(open, byId("a", 1), joined);
  await new Promise(setImmediate);
  const alone = { asked: [{ sql: "select * from a where id = $1", parameters: [1] }], released: 1 };
  expect(sessions).toMatchObject([alone, alone]);
});

test("a session that can't be opened fails its reads, and the next read opens a new one", async () => {
  const { open } = openSessions(async () => [{ id: 1 }]);
  const read = createSharedReads();
  const fail = () => Promise.reject(new Error("no server"));
  const outcomes = await Promise.allSettled([
    read(fail, byId("a", 1), joined),
    read(fail, byId("b", 1), joined),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await read(open, byId("a", 1), joined)).toEqual({ rows: [{ id: 1 }] });
});

test("reads that begin while others wait for a session go out on it: those of a turn joined, those to be sent alone apart", async () => {
  const { sessions, open } = openSessions(async ({ sql }) =>
    sql.includes("json_agg") ? [{ r0: '[{"id":1}]', r1: '[{"id":2}]' }] : [{ id: 3 }],
  );
  const session = Promise.withResolvers<void>();
  const later = () => session.promise.then(open);
  const read = createSharedReads();
  const first = [read(later, byId("a", 1), joined), read(later, byId("b", 2), joined)];
  await new Promise(setImmediate);
  const second = [read(later, byId("a", 1), joined), read(later, byId("b", 2), joined)];
  const alone = read(later, byId("c", 3), apart);
  session.resolve();
  expect((await Promise.all([...first, ...second, alone])).map(({ rows }) => rows)).toEqual(
    [1, 2, 1, 2, 3].map((id) => [{ id }]),
  );
  await new Promise(setImmediate);
  expect(sessions.map(({ asked, released }) => [asked.length, released])).toEqual([[3, 1]]);
});

test.each([
  ["a read's own values fails no other read of the same", new Error("invalid byte sequence"), [1, 3]],
  ["a locked table fails all that read it", new StorageUnavailable("locked"), [3]],
])("on a session that waited, %s", async (_, fault, found) => {
  const { open } = openSessions(async ({ parameters: [id] }) => {
    if (id === 0) throw fault;
    return [{ id }];
  });
  const read = createSharedReads();
  const outcomes = await Promise.allSettled([
    read(open, byId("a", 0), apart),
    read(open, byId("a", 1), apart),
    read(open, byId("b", 3), apart),
  ]);
  const answered = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value.rows : []));
  expect(answered).toEqual(found.map((id) => ({ id })));
});

test("a session takes a bounded number of reads, and the next ones wait for another", async () => {
  const { sessions, open } = openSessions(async () => [{ id: 1 }]);
  const read = createSharedReads();
  const found = await Promise.all(Array.from({ length: 130 }, () => read(open, byId("a", 1), apart)));
  expect(found).toEqual(Array(130).fill({ rows: [{ id: 1 }] }));
  await new Promise(setImmediate);
  expect(sessions.map(({ asked, released }) => [asked.length, released])).toEqual([
    [64, 1],
    [64, 1],
    [2, 1],
  ]);
});

test("after a joined statement failed, its reads and those of a while are sent one by one: only those fail that must", async () => {
  let now = 0;
  const { sessions, open } = openSessions(async ({ sql }) => {
    if (sql.includes("locked")) throw new Error("locked");
    return sql.includes("json_agg") ? [{ r0: "[]", r1: "[]" }] : [];
  });
  const read = createSharedReads(() => now);
  const readBoth = async (table: string) =>
    (await Promise.allSettled([read(open, byId(table, 1), joined), read(open, byId("b", 1), joined)])).map(
      ({ status }) => status,
    );
  expect(await readBoth("locked")).toEqual(["rejected", "fulfilled"]);
  expect(await readBoth("locked")).toEqual(["rejected", "fulfilled"]);
  now = 10_000;
  expect(await readBoth("a")).toEqual(["fulfilled", "fulfilled"]);
  expect(sessions.map(({ asked, released }) => [asked.length, released])).toEqual([
    [3, 1],
    [2, 1],
    [1, 1],
  ]);
});

test("any number of reads of one turn is answered, in statements that PostgreSQL accepts", async () => {
  const storage = await openTestPostgres();
  const { id } = await storage.workspaces.insert({ name: "W", createdAt: 1 });
  const entry = { workspaceId: id, scope: "*", addressKey: "k", address: "a@b.example", origin: "manual" };
  const others = { reason: "", emailId: undefined, createdBy: undefined, expiresAt: undefined };
  await storage.suppressions.put([{ ...entry, ...others, createdAt: 1 } as Suppression], 1);
  const wanted = Array.from({ length: 2_000 }, (_, index) => (index === 1_777 ? "k" : "none"));
  const found = await Promise.all(
    wanted.map((addressKey) => storage.suppressions.findUnder([{ workspaceId: id, addressKey }])),
  );
  expect(found.map((entries) => entries[0]?.addressKey ?? "none")).toEqual(wanted);
  await storage.close();
});

test("a look-up of a locked table fails none of the same turn on other tables", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const storage = await createPostgresStorage({
    connectionString,
    schema,
    timeouts: { ...unhurried, lock: 300 },
  });
  const unlock = await lockTable(`"${schema}".templates`);
  const [templates, suppressions] = await Promise.allSettled([
    storage.templates.findActive([{ workspaceId: 1, name: "a" }]),
    storage.suppressions.findUnder([{ workspaceId: 1, addressKey: "k" }]),
  ]);
  await unlock();
  await storage.close();
  await giveBack();
  expect(templates).toMatchObject({ status: "rejected", reason: { name: "StorageUnavailable" } });
  expect(suppressions).toEqual({ status: "fulfilled", value: [] });
});

test("joined look-ups answer the same values as single ones", async () => {
  const storage = await openTestPostgres();
  const { id: workspaceId } = await storage.workspaces.insert({ name: "Ä \"W\" \\ 'x'", createdAt: 1 });
  const address = "a@b.example";
  const entry = {
    workspaceId,
    scope: "*",
    addressKey: address,
    address,
    origin: "manual",
    reason: "ü\n",
  } as const;
  await storage.suppressions.put(
    [{ ...entry, emailId: undefined, createdBy: undefined, createdAt: 2 ** 53 - 1, expiresAt: undefined }],
    1,
  );
  const dates = { createdAt: 3, expiresAt: undefined };
  await storage.apiKeys.insert({
    id: "k",
    workspaceId,
    name: "K",
    prefix: "p",
    digest: "digest",
    createdBy: undefined,
    ...dates,
  });
  const looks: ((of: Storage) => Promise<unknown>)[] = [
    ({ apiKeys }) => apiKeys.findByDigests(["digest"]),
    ({ suppressions }) => suppressions.findUnder([{ workspaceId, addressKey: address }]),
    ({ templates }) => templates.findActive([{ workspaceId, name: "none" }]),
  ];
  const single: unknown[] = [];
  for (const look of looks) single.push(await look(storage));
  const query = vi.spyOn(pg.Client.prototype, "query");
  const joined = await Promise.all(looks.map((look) => look(storage)));
  expect(query).toHaveBeenCalledTimes(1);
  query.mockRestore();
  expect(joined).toEqual(single);
  expect(joined).toMatchObject([[{ workspaceId, createdAt: 3 }], [entry], []]);
  await storage.close();
});
