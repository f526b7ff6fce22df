import type { PostgresState } from "@posthorn/storage-postgres/internal";
import { expect, test } from "vitest";
import { checkPostgres } from "./check-postgres.ts";

const sound: PostgresState = {
  identity: "1795870000 5",
  isPooled: false,
  sessions: [],
  seesAll: true,
  oldestTransaction: { pid: 7, application: "psql", isIdle: true, ageMs: 299_999 },
  oldestPrepared: { name: "x", ageMs: 299_999 },
  oldestVersions: [
    { holder: "the connection of process 7", transactions: 19_999_999, ofCatalogs: false },
    { holder: "the replication slot new", transactions: 19_999_999, ofCatalogs: true },
  ],
  user: "posthorn",
  barred: [],
  behind: [],
  unusedSlots: [],
};
const at = { database_url: "postgres://a/x", database_listen_url: undefined };
const pastPooler = { ...at, database_listen_url: "postgres://b/x" };

async function complaintsOf(
  states: Record<string, PostgresState>,
  urls: Parameters<typeof checkPostgres>[0],
) {
  const findings = await checkPostgres(urls, async (url) => {
    const state = states[new URL(url).hostname];
    if (state === undefined) throw new Error("nothing listens at its address");
    return state;
  });
  expect(findings.map(({ check }) => check)).toEqual([
    "rights",
    "sequences",
    "connections",
    "transactions",
    "old rows",
    "replication slots",
  ]);
  return findings.filter(({ state }) => state !== "ok");
}

test("reports a healthy server as healthy, directly and past a pooler", async () => {
  expect(await complaintsOf({ a: sound }, at)).toEqual([]);
  expect(await complaintsOf({ a: { ...sound, isPooled: true }, b: sound }, pastPooler)).toEqual([]);
});

test("does not say that no transaction is old if the user sees only its own", async () => {
  const findings = await checkPostgres(at, async () => ({ ...sound, seesAll: false }));
  expect(findings.find(({ check }) => check === "transactions")).toEqual({
    check: "transactions",
    state: "ok",
    found:
      "none of the user posthorn has been open for long; to see those of others: grant pg_read_all_stats to posthorn",
  });
});

test.each<[string, Partial<PostgresState>, string, string]>([
  [
    "an idle transaction",
    { oldestTransaction: { pid: 7, application: "psql", isIdle: true, ageMs: 300_000 } },
    "process 7 (psql), open for 5 min and idle",
    "pg_terminate_backend(7)",
  ],
  [
    "a long transaction",
    { oldestTransaction: { pid: 8, application: "", isIdle: false, ageMs: 3_600_000 } },
    "process 8, open for 60 min: deleted rows stay on disk, and all later events wait if it wrote one",
    "pg_terminate_backend(8)",
  ],
  [
    "a prepared transaction",
    { oldestPrepared: { name: "it's", ageMs: 300_000 } },
    "it's was prepared 5 min ago",
    "rollback prepared 'it''s'",
  ],
  [
    "old row versions",
    { oldestVersions: [{ holder: "the replication slot old", transactions: 20_000_000, ofCatalogs: false }] },
    "the replication slot old prevents the removal of rows deleted in the last 20,000,000 transactions",
    "pg_drop_replication_slot",
  ],
  [
    "old versions of the catalogs' rows",
    { oldestVersions: [{ holder: "the replication slot old", transactions: 20_000_000, ofCatalogs: true }] },
    "prevents the removal of rows that the system's catalogs deleted in the last 20,000,000 transactions",
    "pg_drop_replication_slot",
  ],
  [
    "unused slots",
    {
      unusedSlots: [
        { name: "a", keptBytes: 0, isLost: false },
        { name: "b", keptBytes: 5 * 1024 * 1024, isLost: false },
        { name: "c", keptBytes: 0, isLost: true },
      ],
    },
    "nobody reads a, b: b retains 5 MiB",
    "pg_drop_replication_slot('b')",
  ],
  [
    "lost slots",
    { unusedSlots: [{ name: "c", keptBytes: 0, isLost: true }] },
    "c: invalidated by the server, no longer readable",
    "pg_drop_replication_slot('c')",
  ],
  ["a pooler alone", { isPooled: true }, "through a pooler", "SERVICE_DATABASE_LISTEN_URL"],
])("the doctor warns of %s", async (_, fault, found, advice) => {
  expect(await complaintsOf({ a: { ...sound, ...fault } }, at)).toEqual([
    {
      check: expect.any(String),
      state: "warning",
      found: expect.stringContaining(found),
      advice: expect.stringContaining(advice),
    },
  ]);
});

test("the doctor warns of a listening address that leads to a pooler, to another database, or where nothing listens", async () => {
  expect(await complaintsOf({ a: sound, b: { ...sound, isPooled: true } }, pastPooler)).toMatchObject([
    { check: "connections", found: expect.stringContaining("leads through a pooler") },
  ]);
  expect(
    await complaintsOf({ a: sound, b: { ...sound, identity: "1795870000 6" } }, pastPooler),
  ).toMatchObject([{ check: "connections", found: expect.stringContaining("leads to another database") }]);
  expect(await complaintsOf({ a: sound }, pastPooler)).toMatchObject([
    { check: "connections", found: expect.stringContaining("nothing listens at its address") },
  ]);
});

test("the doctor calls sequences broken that stand below the ids of their tables", async () => {
  const behind = ["emails_id_seq", "events_id_seq", "users_id_seq", "workspaces_id_seq"];
  expect(await complaintsOf({ a: { ...sound, behind } }, at)).toEqual([
    {
      check: "sequences",
      state: "broken",
      found: expect.stringContaining("emails_id_seq, events_id_seq, users_id_seq and 1 more stand below ids"),
      advice: expect.stringContaining("posthorn restore-check"),
    },
  ]);
});

test("a server that refuses to be examined is a warning, and the diagnosis continues", async () => {
  const findings = await checkPostgres(at, () => Promise.reject(new Error("permission denied")));
  expect(findings).toMatchObject([{ state: "warning", found: expect.stringContaining("permission denied") }]);
});
