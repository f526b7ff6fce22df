import { createPosthorn, StorageUnavailable } from "@posthorn/core";
import { silentLogger } from "@posthorn/core/internal";
import { createMemoryMailer } from "@posthorn/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { followThroughFailures } from "./follow-through-failures.ts";

/** A service whose reads of events fail while `down`, like those of a restarting database. */
async function openFailing() {
  const storage = await openTestSqlite();
  const state: { down: boolean; fault?: Error } = { down: false };
  const gate =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (state.fault !== undefined) throw state.fault;
      if (state.down) throw new StorageUnavailable("it restarts");
      return await call(...args);
    };
  const posthorn = createPosthorn({
    storage: {
      ...storage,
      ping: gate(storage.ping),
      events: {
        ...storage.events,
        listAfter: gate(storage.events.listAfter),
        lastId: gate(storage.events.lastId),
      },
    },
    mailer: createMemoryMailer(),
    logger: silentLogger,
    secretKey: "a secret key that only tests ever use, 0123456789",
  });
  await posthorn.migrate();
  onTestFinished(async () => {
    await posthorn.close();
    await storage.close();
  });
  return { posthorn, state };
}

test("reports a restart of the database, waits for it, and continues without a gap or repetition", async () => {
  const { posthorn, state } = await openFailing();
  const interruption = new AbortController();
  const told: string[] = [];
  const tell = (text: string): void => {
    told.push(text);
    // The database is down from the first failure until that was reported; an event is written meanwhile.
    if (text.includes("unavailable"))
      void posthorn.plans.create({ name: "meanwhile" }).then(() => (state.down = false));
  };
  await posthorn.plans.create({ name: "before" });
  const names: string[] = [];
  for await (const event of followThroughFailures(posthorn, {
    workspaceId: "all",
    after: 0,
    signal: interruption.signal,
    tell,
  })) {
    if ("name" in event.metadata) names.push(event.metadata.name);
    if (names.length === 1) state.down = true;
    if (names.length === 2) await posthorn.plans.create({ name: "after" });
    if (names.length === 3) interruption.abort();
  }
  expect(names).toEqual(["before", "meanwhile", "after"]);
  expect(told).toEqual([
    "The database is unavailable: it restarts. Waiting for it; nothing is lost.",
    "The database is back. Continuing after event 1.",
  ]);
});

test("ends on any other failure", async () => {
  const { posthorn, state } = await openFailing();
  state.fault = new TypeError("a fault");
  const { signal } = new AbortController();
  const following = followThroughFailures(posthorn, { workspaceId: "all", after: 0, signal, tell: () => {} });
  await expect(following.next()).rejects.toThrow(TypeError);
});
