import { EventEmitter } from "node:events";
import { silentLogger } from "@posthorn/core/storage";
import type { ClientBase } from "pg";
import { expect, test } from "vitest";
import { eventually } from "../../test/eventually.ts";
import { listen } from "./listen.ts";

const clientOf = (pid: number): ClientBase =>
  Object.assign(new EventEmitter(), { query: async () => ({ rows: [{ pid }] }) }) as unknown as ClientBase;

test("LISTEN is tried again soon if its test notification could not be sent, as on connections that are all in use", async () => {
  let tries = 0;
  const listening = listen({
    connect: async () => {
      tries += 1;
      return { client: clientOf(1), end: () => {} };
    },
    channel: "news",
    send: () => new Promise(() => {}),
    withClient: (work) => work(clientOf(2)),
    onPayload: () => {},
    onMissed: () => {},
    logger: silentLogger,
    checkMs: 1_000,
    timeoutMs: 10,
  });
  await eventually(() => tries >= 3);
  listening.close();
  expect(tries).toBeGreaterThanOrEqual(3);
});
