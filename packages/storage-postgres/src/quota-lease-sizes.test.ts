import type { Storage, UsageOutcome } from "@posthorn/core/storage";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { eventually } from "../test/eventually.ts";
import { runOnce, takeTestSchema, unhurried } from "../test/open-test-storage.ts";
import { createPostgresStorage } from "./create-postgres-storage.ts";

const hour = 3_600_000;
let storage: Storage;
let connectionString: string;
let schema: string;
let giveBack: () => Promise<void>;
let workspaceId: number;
/** What the process's clock shows: leases depend on what was charged within a second. */
let elapsed: number;

beforeAll(async () => {
  ({ connectionString, schema, giveBack } = await takeTestSchema());
});

beforeEach(async () => {
  elapsed = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => elapsed);
  storage = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  workspaceId = (await storage.workspaces.insert({ name: "busy", createdAt: 1 })).id;
});

afterEach(async () => {
  await storage.close();
  vi.restoreAllMocks();
});

afterAll(() => giveBack());

const request = (recipients: number, { limit = 100_000, start = hour, of = workspaceId } = {}) => ({
  workspaceId: of,
  recipients,
  hour: { start, limit },
  day: { start: 0, limit: 0 },
});

const charge = (...requests: ReturnType<typeof request>[]): Promise<UsageOutcome[]> =>
  storage.transaction(({ usage }) => usage.reserve(requests));

const usedIn = async (start: number) => (await storage.usage.find(workspaceId, start, 0)).hour;

/** Returns the leased and unspent recipients of an hour. */
async function leased({ start = hour, of = workspaceId } = {}): Promise<number> {
  const [row] = await runOnce(
    connectionString,
    `select -coalesce(sum(used), 0)::int as leased from "${schema}".usage
      where workspace_id = ${of} and window_kind = 'hour' and window_start = ${start} and shard < 0`,
  );
  return Number(row?.["leased"]);
}

const untilLeased = (number: number, where: Parameters<typeof leased>[0] = {}) =>
  eventually(async () => (await leased(where)) === number);

test("a workspace is busy enough for a lease once ten recipients were charged within a second", async () => {
  await charge(request(9));
  elapsed += 1_000;
  await charge(request(9));
  // What has no limit needs none.
  await charge(request(500, { limit: 0, start: 2 * hour }));
  const other = (await storage.workspaces.insert({ name: "other", createdAt: 1 })).id;
  await charge(request(10, { of: other }));
  await untilLeased(200, { of: other });
  expect([await leased(), await leased({ start: 2 * hour })]).toEqual([0, 0]);
  elapsed += 999;
  await charge(request(1));
  await untilLeased(200);
  expect(await usedIn(hour)).toBe(19);
});

test("while one block is spent the other is filled again", async () => {
  await charge(request(10));
  await untilLeased(200);
  await charge(request(1));
  await untilLeased(399);
  await charge(request(150));
  expect(await leased()).toBe(249);
  await charge(request(120));
  await untilLeased(249 - 120 + 151);
  expect(await usedIn(hour)).toBe(281);
});

test("of requests for several hours each is charged to its own, whatever is leased of one", async () => {
  await charge(request(10));
  await untilLeased(200);
  await charge(request(3), request(4, { start: 2 * hour }));
  await charge(request(5, { start: 2 * hour }), request(6));
  expect(await Promise.all([usedIn(hour), usedIn(2 * hour)])).toEqual([19, 9]);
});

test("what a lease has no room for is charged to the counters at once", async () => {
  await charge(request(10));
  await untilLeased(200);
  let runs = 0;
  await storage.transaction(({ usage }) => {
    runs += 1;
    return usage.reserve([request(201)]);
  });
  expect(runs).toBe(1);
  expect(await usedIn(hour)).toBe(211);
});

test("what is set aside is the request's size and a block, less what is there, and needs no more room than that", async () => {
  const aside = (recipients: number) => storage.usage.setAside(request(recipients, { limit: 1_100 }));
  expect(await aside(100)).toBe(true);
  expect(await leased()).toBe(300);
  expect(await aside(1_000)).toBe(true);
  expect(await leased()).toBe(1_100);
  expect(await aside(1_101)).toBe(false);
});

test("what was set aside for another hour is not taken for this one's", async () => {
  expect(await storage.usage.setAside(request(500))).toBe(true);
  expect(await storage.usage.setAside(request(400, { start: 2 * hour }))).toBe(true);
  expect(await leased({ start: 2 * hour })).toBe(600);
});

test("room is set aside beside a lease that is on its way", async () => {
  await charge(request(10));
  expect(await storage.usage.setAside(request(500))).toBe(true);
});
