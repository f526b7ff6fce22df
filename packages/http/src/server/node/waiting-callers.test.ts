import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createWaitingCallers } from "./waiting-callers.ts";

const createSocket = () => new EventEmitter() as Socket;

test("keeps no connection that has gone", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const callers = createWaitingCallers();
  const gone = Array.from({ length: 20 }, () => {
    const sockets = Array.from({ length: 10 }, createSocket);
    for (const socket of sockets) callers.add(socket);
    for (const socket of sockets) socket.emit("close");
    return sockets.map((socket) => new WeakRef(socket));
  }).flat();
  const countKept = async () => {
    // What a WeakRef was made of, or gave, lives until the turn is over.
    await setImmediate();
    collect();
    return gone.filter((one) => one.deref() !== undefined).length;
  };
  // A marking that was underway before they had gone keeps what it had seen: only one that begins later tells.
  let kept = await countKept();
  for (let more = 0; kept > 0 && more < 4; more += 1) kept = await countKept();
  expect(kept).toBe(0);
});

test("finds the oldest of those that are left, and looks at each", () => {
  const callers = createWaitingCallers();
  const sockets = Array.from({ length: 6 }, createSocket);
  for (const socket of sockets) callers.add(socket);
  const left = [...sockets];
  for (const at of [3, 0, 3, 0, 1, 0]) {
    const oldest = left[0] as Socket;
    expect(callers.findOldest(createSocket())).toBe(oldest);
    if (left.length > 1) expect(callers.findOldest(oldest)).toBe(left[1]);
    left.splice(at, 1)[0]?.emit("close");
  }
  expect(callers.findOldest(createSocket())).toBeUndefined();
});
