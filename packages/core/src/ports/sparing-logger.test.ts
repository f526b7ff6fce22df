import { expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld } from "../testing/index.ts";
import type { Logger } from "./logger.ts";
import { sparingLogger } from "./sparing-logger.ts";

function keeper() {
  const lines: [object, string][] = [];
  const keep = (fields: object, message: string): void => void lines.push([fields, message]);
  const logger: Logger = { debug: keep, info: keep, warn: keep, error: keep };
  return { logger, lines };
}

test("the same failure is told once a minute, with how often it was repeated", () => {
  const { logger, lines } = keeper();
  let now = 5;
  const sparing = sparingLogger(logger, () => now);
  const fail = (): Error => {
    const err = new Error("disk full");
    sparing.error({ err }, "claiming failed");
    return err;
  };
  const first = fail();
  for (now = 6; now < 60_005; now += 10_000) fail();
  expect(lines).toEqual([[{ err: first }, "claiming failed"]]);
  now = 60_005;
  const next = fail();
  fail();
  expect(lines.slice(1)).toEqual([[{ err: next, repeated: 6 }, "claiming failed"]]);
  now = 180_005;
  fail();
  expect(lines.slice(2)).toMatchObject([[{ repeated: 1 }, "claiming failed"]]);
});

test("another failure, other work, and what is about one request or e-mail are told each time", () => {
  const { logger, lines } = keeper();
  const sparing = sparingLogger(logger, () => 0);
  for (const _ of [1, 2]) {
    sparing.error({ err: new Error("disk full") }, "claiming failed");
    sparing.error({ err: new Error("locked") }, "claiming failed");
    sparing.error({ err: new Error("disk full") }, "releasing failed");
    sparing.error({ err: new Error("disk full"), requestId: "r" }, "a request failed");
    sparing.warn({}, "a pause");
  }
  expect(lines.map(([, message]) => message)).toEqual([
    ...["claiming failed", "claiming failed", "releasing failed", "a request failed", "a pause"],
    ...["a request failed", "a pause"],
  ]);
});

test("a thousand different failures are not all kept", () => {
  const { logger, lines } = keeper();
  const sparing = sparingLogger(logger, () => 0);
  for (const name of ["first", ...Array.from({ length: 1_000 }, (_, at) => String(at)), "first"])
    sparing.error({ err: new Error(name) }, "claiming failed");
  expect(lines).toHaveLength(1_002);
});

test("a service tells a failure of its storage once, however often it tries", async () => {
  const { logger, lines } = keeper();
  const storage = await openTestSqlite();
  const { posthorn, close } = await createWorld(storage, { logger });
  let tries = 0;
  storage.operations.beat = async () => {
    tries += 1;
    throw new Error("disk full");
  };
  for (const times of [1, 2, 3]) {
    posthorn.start();
    await expect.poll(() => tries, { timeout: 60_000 }).toBe(times);
    await posthorn.stop();
  }
  expect(lines.filter(([, message]) => message === "the worker's heartbeat failed")).toHaveLength(1);
  await close();
});
