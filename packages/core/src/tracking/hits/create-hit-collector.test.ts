import { expect, test, vi } from "vitest";
import { StorageUnavailable } from "../../ports/storage.ts";
import { createFixedClock } from "../../testing/fixed-clock.ts";
import type { TrackingSubject } from "../rules/tracking-token.ts";
import { createHitCollector } from "./create-hit-collector.ts";
import type { Hit } from "./hit.ts";

const visit = {
  ip: "192.0.2.7",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
  isPrefetch: false,
};
const open = (row: number): TrackingSubject => ({ kind: "open", row, position: 0 });
const click = (row: number, link: number, url = "https://shop.example/"): TrackingSubject => ({
  kind: "click",
  row,
  position: 0,
  link,
  url,
});

const workspaceOf = (row: number): number => Math.floor(row / 10);

function setUp(write: (hits: readonly Hit[], piece: number) => Promise<void> = async () => {}) {
  const clock = createFixedClock();
  const written: Hit[][] = [];
  const told: unknown[] = [];
  const tell = (fields: unknown) => void told.push(fields);
  const collector = createHitCollector({
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    logger: { error: tell, warn: tell },
    workspacesOf: async (rows) => new Map(rows.map((row) => [row, workspaceOf(row)])),
    async write(hits, piece) {
      await write(hits, piece);
      written.push(hits.map((hit) => ({ ...hit })));
    },
  });
  return { clock, written, told, collector };
}

test("adds up what the same program does with the same e-mail", async () => {
  const { clock, written, collector } = setUp();
  for (let turn = 0; turn < 1_000; turn += 1) {
    collector.take(open(1), visit);
    collector.take(click(1, 0), visit);
    clock.advance(1);
  }
  collector.take(open(2), visit);
  const last = { ...visit, ip: "192.0.2.8", userAgent: visit.userAgent.replace("144", "145") };
  collector.take(open(2), last);
  await collector.flush();
  const at = clock.now() - 1_000;
  expect(written.flat()[1]).toMatchObject({
    ip: last.ip,
    userAgent: last.userAgent,
    agentClass: "browser",
    machine: false,
  });
  expect(written.flat().map(({ kind, row, count, at, lastAt }) => [kind, row, count, at, lastAt])).toEqual([
    ["open", 1, 1_000, at, at + 999],
    ["open", 2, 2, at + 1_000, at + 1_000],
    ["click", 1, 1_000, at, at + 999],
  ]);
  await collector.close();
});

test("writes openings every second, and clicks once two seconds have passed without another", async () => {
  vi.useFakeTimers();
  try {
    const { clock, written, collector } = setUp();
    const second = async () => {
      clock.advance(1_000);
      await vi.advanceTimersByTimeAsync(1_000);
    };
    collector.take(open(1), visit);
    collector.take(click(1, 0), visit);
    await second();
    expect(written.flat().map(({ kind }) => kind)).toEqual(["open"]);
    collector.take(click(1, 1), visit);
    await second();
    await second();
    expect(written.flat()).toHaveLength(1);
    await second();
    expect(written.flat().map(({ kind, link }) => [kind, link])).toEqual([
      ["open", undefined],
      ["click", 0],
      ["click", 1],
    ]);
    await second();
    expect(vi.getTimerCount()).toBe(0);
    // Clicks without a pause are judged after ten seconds.
    for (let turn = 0; turn < 12; turn += 1) {
      collector.take(click(2, 0), visit);
      await second();
    }
    expect(written.flat().filter(({ row }) => row === 2)).toHaveLength(1);
    collector.take(open(3), visit);
    collector.take(open(4), visit);
    expect(vi.getTimerCount()).toBe(1);
    await collector.close();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("keeps what an unavailable storage did not take, and drops what it refuses for another reason", async () => {
  let fault: Error | undefined = new StorageUnavailable("down");
  const { written, told, collector } = setUp(async () => {
    if (fault !== undefined) throw fault;
  });
  collector.take(open(1), visit);
  await collector.flush();
  fault = undefined;
  collector.take(open(2), visit);
  await collector.flush();
  expect(written.flat().map(({ row }) => row)).toEqual([1, 2]);
  fault = new TypeError("a bug");
  collector.take(open(3), visit);
  await collector.flush();
  fault = undefined;
  collector.take(open(4), visit);
  await collector.close();
  expect(written.flat().map(({ row }) => row)).toEqual([1, 2, 4]);
  expect(told).toEqual([{ err: expect.any(StorageUnavailable) }, { err: expect.any(TypeError) }]);
});

test("a hit that the storage refuses takes no other with it, also if the storage fails meanwhile", async () => {
  let isDown = false;
  const { written, told, collector } = setUp(async (hits) => {
    if (isDown) throw new StorageUnavailable("down");
    if (hits.some(({ row }) => row === 2)) {
      isDown = hits.length === 1;
      throw new TypeError("a bug");
    }
  });
  for (const row of [1, 2, 3]) collector.take(open(row), visit);
  await collector.flush();
  expect(written.flat().map(({ row }) => row)).toEqual([1]);
  isDown = false;
  await collector.close();
  expect(written.flat().map(({ row }) => row)).toEqual([1, 3]);
  expect(told.map((one) => (one as { err: Error }).err.name)).toEqual([
    "TypeError",
    "TypeError",
    "StorageUnavailable",
  ]);
});

test("repeats what may have been written with its number, whatever came meanwhile; other hits have others", async () => {
  let isLost = true;
  const tries: { rows: number[]; piece: number }[] = [];
  const { collector } = setUp(async (hits, piece) => {
    tries.push({ rows: hits.map(({ row }) => row), piece });
    if (isLost) throw new StorageUnavailable("the reply to the commit is lost");
  });
  for (const row of [1, 2]) collector.take(open(row), visit);
  await collector.flush();
  collector.take(open(3), visit);
  await collector.flush();
  isLost = false;
  await collector.close();
  expect(tries.map(({ rows }) => rows)).toEqual([[1, 2], [1, 2], [1, 2], [3]]);
  const [first, ...pieces] = tries.map(({ piece }) => piece);
  expect(pieces.map((piece) => piece === first)).toEqual([true, true, false]);
});

test("holds at most 32 MiB, tells how many hits it dropped, and has room again afterwards", async () => {
  const { written, told, collector } = setUp();
  const url = `https://shop.example/${"x".repeat(5_000)}`;
  const take = () => {
    for (let row = 0; row < 5_000; row += 1) collector.take(click(row, 0, url), visit);
  };
  for (let turn = 0; turn < 2; turn += 1) {
    take();
    await collector.flush();
  }
  // 300 bytes for a hit, and two for each character of its address and of the longest user agent.
  const held = Math.floor((32 * 1024 * 1024) / (300 + 2 * (url.length + 500)));
  expect(written.flat()).toHaveLength(2 * held);
  expect(told).toEqual([{ dropped: 5_000 - held }, { dropped: 5_000 - held }]);
  await collector.close();
});

test("keeps sixteen different clicks on an e-mail at a time, and counts the others", async () => {
  const { written, collector } = setUp();
  for (let link = 0; link < 1_000; link += 1) collector.take(click(1, link), visit);
  await collector.flush();
  const hits = written.flat();
  expect(hits).toHaveLength(16);
  expect(hits.reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
  expect(new Set(hits.map(({ reason }) => reason))).toEqual(new Set(["burst"]));
  await collector.close();
});

test("writes pieces of 500 hits, one after the other, those that wait as well, and nothing after it was closed", async () => {
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const { written, collector } = setUp(turn);
  for (let row = 0; row < 1_099; row += 1) collector.take(open(row), visit);
  const flushed = collector.flush();
  await turn();
  collector.take(click(1, 0), visit);
  await Promise.all([flushed, collector.close()]);
  collector.take(open(9), visit);
  await collector.flush();
  expect(written.map(({ length }) => length)).toEqual([500, 500, 99, 1]);
});

test("keeps at most 500 characters of a user agent", async () => {
  const { written, collector } = setUp();
  collector.take(open(1), { ...visit, userAgent: "x".repeat(9_000), ip: "y".repeat(9_000) });
  await collector.close();
  expect(written.flat().map(({ userAgent, ip }) => [userAgent.length, ip.length])).toEqual([[500, 64]]);
});

const locked = new StorageUnavailable("locked", { isLocked: true });

test("hits of a workspace whose rows others keep locked are written apart, and hold up no other's", async () => {
  let lockedId: number | undefined = 1;
  const tries: number[][] = [];
  const { written, collector } = setUp(async (hits) => {
    tries.push(hits.map(({ row }) => row));
    if (hits.some(({ row }) => workspaceOf(row) === lockedId)) throw locked;
  });
  const takeAll = async (...rows: number[]) => {
    tries.length = 0;
    for (const row of rows) collector.take(open(row), visit);
    await collector.flush();
  };
  await takeAll(10, 20, 11, 30);
  expect(tries).toEqual([[10, 20, 11, 30], [10, 11], [20], [30]]);
  // Their next transaction does not share its locks any more.
  await takeAll(12, 21, 31);
  expect(tries).toEqual([
    [21, 31],
    [10, 11, 12],
  ]);
  lockedId = undefined;
  await takeAll(13);
  expect(tries).toEqual([[10, 11, 12, 13]]);
  await takeAll(14, 22);
  expect(tries).toEqual([[14, 22]]);
  expect(written.flat()).toHaveLength(10);
  await collector.close();
});

test("once memory is full, hits of workspaces that others keep locked make room for those of all", async () => {
  const { written, told, collector } = setUp(async (hits) => {
    if (hits.some(({ row }) => workspaceOf(row) === 1)) throw locked;
  });
  const url = `https://shop.example/${"x".repeat(5_000)}`;
  for (let position = 0; position < 5_000; position += 1)
    collector.take({ ...click(10, 0, url), position }, visit);
  await collector.flush();
  told.length = 0;
  collector.take(click(20, 0, url), visit);
  await collector.flush();
  expect(written.flat().map(({ row }) => row)).toEqual([20]);
  const held = Math.floor((32 * 1024 * 1024) / (300 + 2 * (url.length + 500)));
  expect(told).toContainEqual({ dropped: Math.ceil(held / 2) });
  await collector.close();
});

test("beside locks of all, three workspaces are tried at a time, each in its turn", async () => {
  let isLocked = true;
  const tries: number[][] = [];
  const { written, collector } = setUp(async (hits) => {
    tries.push(hits.map(({ row }) => row));
    if (isLocked) throw locked;
  });
  for (const row of [10, 20, 30, 40, 50]) collector.take(open(row), visit);
  await collector.flush();
  expect(tries.splice(0)).toEqual([[10, 20, 30, 40, 50], [10], [20], [30]]);
  await collector.flush();
  expect(tries.splice(0)).toEqual([[40], [50], [10]]);
  isLocked = false;
  await collector.close();
  expect(written.flat().map(({ row }) => row)).toEqual([20, 30, 40, 50, 10]);
});

test("what may have been written keeps its number where it is then written apart", async () => {
  let fault: Error | undefined = new StorageUnavailable("the reply to the commit is lost");
  const tries: { rows: number[]; piece: number }[] = [];
  const { collector } = setUp(async (hits, piece) => {
    tries.push({ rows: hits.map(({ row }) => row), piece });
    if (fault !== undefined && (!fault.message.includes("locked") || hits.length > 1)) throw fault;
  });
  for (const row of [10, 20]) collector.take(open(row), visit);
  await collector.flush();
  fault = locked;
  collector.take(open(11), visit);
  await collector.flush();
  await collector.close();
  expect(tries.map(({ rows }) => rows)).toEqual([[10, 20], [10, 20], [10], [11], [20]]);
  const [first, ...pieces] = tries.map(({ piece }) => piece);
  expect(pieces.map((piece) => piece === first)).toEqual([true, true, false, true]);
});
