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

test("closes a connection after its idle time", () => {
  const idle = createIdleConnections(5000, (pooled) => ended.push(pooled));
  const { pooled } = makeConnection();
  idle.keep(pooled);
  vi.advanceTimersByTime(4999);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual([pooled]);
  expect(idle.take()).toBeUndefined();
});

test("does not close a connection in use", () => {
  const idle = createIdleConnections(5000, (pooled) => ended.push(pooled));
  const { pooled, disturb } = makeConnection();
  idle.keep(pooled);
  expect(idle.take()).toBe(pooled);
  vi.advanceTimersByTime(10_000);
  disturb();
  expect(ended).toEqual([]);
});

test("takes the most recently used connection first, and closes one whose server writes to it", () => {
  const idle = createIdleConnections(5000, (pooled) => ended.push(pooled));
  const [first, second, third] = [makeConnection(), makeConnection(), makeConnection()];
  for (const { pooled } of [first, second, third]) idle.keep(pooled);
  third.disturb();
  expect(ended).toEqual([third.pooled]);
  expect([idle.take(), idle.take(), idle.take()]).toEqual([second.pooled, first.pooled, undefined]);
});
