import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createIdleConnections, type PooledConnection } from "./create-idle-connections.ts";

let ended: PooledConnection[];
beforeEach(() => {
  ended = [];
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

/** A connection that does nothing, and how to disturb it. */
function makeConnection() {
  let listener: (() => void) | undefined;
  const channel = {
    isQuiet: () => true,
    onDisturbance: (given: (() => void) | undefined) => {
      listener = given;
    },
    destroy: vi.fn(),
    socket: { ref: vi.fn(), unref: vi.fn() },
  };
  const pooled = { connection: { channel }, messages: 1 } as unknown as PooledConnection;
  return { pooled, disturb: () => listener?.() };
}

test("a connection is kept for its idle time, and ended then", () => {
  const idle = createIdleConnections(5000, (pooled) => ended.push(pooled));
  const { pooled } = makeConnection();
  idle.keep(pooled);
  vi.advanceTimersByTime(4999);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual([pooled]);
  expect(idle.take()).toBeUndefined();
});

test("one that is taken is not ended behind whoever uses it", () => {
  const idle = createIdleConnections(5000, (pooled) => ended.push(pooled));
  const { pooled, disturb } = makeConnection();
  idle.keep(pooled);
  expect(idle.take()).toBe(pooled);
  vi.advanceTimersByTime(10_000);
  disturb();
  expect(ended).toEqual([]);
});

test("the one that was used last is taken first, and one whose server writes to it is ended", () => {
  const idle = createIdleConnections(5000, (pooled) => ended.push(pooled));
  const [first, second, third] = [makeConnection(), makeConnection(), makeConnection()];
  for (const { pooled } of [first, second, third]) idle.keep(pooled);
  third.disturb();
  expect(ended).toEqual([third.pooled]);
  expect([idle.take(), idle.take(), idle.take()]).toEqual([second.pooled, first.pooled, undefined]);
});
