import pg from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { testPostgresUrl } from "../../test/open-test-storage.ts";
import { sentTexts } from "../../test/sent-texts.ts";
import { createFlights } from "./create-flights.ts";

const guard = "lock table pg_catalog.pg_class in access share mode";

let client: pg.Client;
let counted: pg.Client;
beforeEach(async () => {
  const connectionString = await testPostgresUrl();
  client = new pg.Client({ connectionString, pipeline: true });
  counted = new pg.Client({ connectionString });
  await Promise.all([client.connect(), counted.connect()]);
  await counted.query("drop table if exists public.flown; create table public.flown (n int)");
});
afterEach(async () => {
  await client.end();
  await counted.query("drop table public.flown");
  await counted.end();
});

const open = () => {
  const names = (text: string) => `flown ${text.length}`;
  const flights = createFlights(client, { timeoutMs: 10_000, nameStatement: names, guard });
  if (flights === undefined) throw new Error("the client can't send flights");
  return flights;
};
const tagOf = ({ tag }: { tag: string }) => tag;
const count = async () => Number((await counted.query("select count(*) as n from public.flown")).rows[0].n);
const insert = "insert into public.flown values ($1)";

test("the statements of a turn are one query, each with its answer", async () => {
  const flights = open();
  const query = vi.spyOn(client, "query");
  const answers = [
    flights.begin("begin"),
    flights.add(insert, [1], tagOf),
    flights.add("select n from public.flown", [], ({ found }) => found),
    flights.add("commit", [], tagOf),
  ];
  expect(await Promise.all(answers)).toEqual([undefined, "INSERT 0 1", [{ n: 1 }], "COMMIT"]);
  expect(query.mock.calls.map(([asked]) => sentTexts(asked).length)).toEqual([4]);
  expect(await count()).toBe(1);
});

test("nothing is written if the beginning fails, in its flight or in one that departs before its answer", async () => {
  const flights = open();
  const query = vi.spyOn(client, "query");
  const codeOf = (work: Promise<unknown>) => work.catch(({ code }: { code: string }) => code);
  // Fails as a cancelled beginning does: no transaction is open.
  const codes = [flights.begin("select 1 / 0"), flights.add(insert, [1], tagOf)].map(codeOf);
  flights.depart();
  codes.push(codeOf(flights.add(insert, [2], tagOf)), codeOf(flights.add("commit", [], tagOf)));
  flights.depart();
  expect(await Promise.all(codes)).toEqual(["22012", "25P02", "25P02", "25P02"]);
  expect(query.mock.calls.map(([asked]) => sentTexts(asked)[0])).toEqual(["select 1 / 0", guard]);
  expect(await count()).toBe(0);
});

test("what follows a failed statement in its flight is skipped, and prepared the next time", async () => {
  for (const last of ["rollback", "commit"]) {
    const flights = open();
    const [, failed, skipped] = await Promise.allSettled([
      flights.begin("begin"),
      flights.add("insert into public.flown values (1 / $1::int)", [last === "commit" ? 1 : 0], tagOf),
      flights.add(insert, [2], tagOf),
    ]);
    if (last === "rollback")
      expect([failed, skipped]).toMatchObject([{ reason: { code: "22012" } }, { reason: { code: "25P02" } }]);
    await flights.add(last, [], tagOf);
  }
  expect(await count()).toBe(2);
});

test("a flight needs no guard once the beginning is answered", async () => {
  const flights = open();
  await flights.begin("begin");
  const query = vi.spyOn(client, "query");
  const one = flights.add(insert, [1], tagOf);
  flights.depart();
  const two = flights.add(insert, [2], tagOf);
  flights.depart();
  expect(await Promise.all([one, two])).toEqual(["INSERT 0 1", "INSERT 0 1"]);
  expect(query.mock.calls.map(([asked]) => sentTexts(asked))).toEqual([[insert], [insert]]);
  await flights.add("rollback", [], tagOf);
  expect(await count()).toBe(0);
});
