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
  // What a WeakRef was made of lives until the turn is over.
  await setImmediate();
  collect();
  expect(gone.filter((one) => one.deref() !== undefined)).toHaveLength(0);
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
