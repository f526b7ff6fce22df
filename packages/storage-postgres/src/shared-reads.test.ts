import { expect, test } from "vitest";
import { createSharedReads } from "./shared-reads.ts";

function openSessions() {
  const sessions: { released: number; release(): void }[] = [];
  return {
    sessions,
    open: async () => {
      const session = {
        released: 0,
        release() {
          session.released += 1;
        },
      };
      sessions.push(session);
      return session;
    },
  };
}

test("reads of one turn share a session, which is released once, after the last", async () => {
  const { sessions, open } = openSessions();
  const shared = createSharedReads<(typeof sessions)[number]>();
  const slow = Promise.withResolvers<string>();
  const first = shared(open, async () => "first");
  const last = shared(open, () => slow.promise);
  expect(await first).toBe("first");
  expect(sessions).toMatchObject([{ released: 0 }]);
  slow.resolve("last");
  expect(await last).toBe("last");
  expect(sessions).toMatchObject([{ released: 1 }]);
});

test("a later turn gets another session, and so does a read after all have finished", async () => {
  const { sessions, open } = openSessions();
  const shared = createSharedReads<(typeof sessions)[number]>();
  const slow = Promise.withResolvers<void>();
  const early = shared(open, () => slow.promise);
  await new Promise(setImmediate);
  await shared(open, async () => {});
  await shared(open, async () => {});
  slow.resolve();
  await early;
  expect(sessions).toMatchObject([{ released: 1 }, { released: 1 }, { released: 1 }]);
});

test("a session that can't be opened fails its reads, and the next read opens a new one", async () => {
  const { sessions, open } = openSessions();
  const shared = createSharedReads<(typeof sessions)[number]>();
  const fail = () => Promise.reject(new Error("no server"));
  const outcomes = await Promise.allSettled([shared(fail, async () => "a"), shared(fail, async () => "b")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await shared(open, async () => "c")).toBe("c");
  expect(sessions).toMatchObject([{ released: 1 }]);
});

test("a failed read does not affect the others", async () => {
  const { sessions, open } = openSessions();
  const shared = createSharedReads<(typeof sessions)[number]>();
  const [failed, read] = await Promise.allSettled([
    shared(open, () => Promise.reject(new Error("locked"))),
    shared(open, async () => "read"),
  ]);
  expect(failed.status).toBe("rejected");
  expect(read).toEqual({ status: "fulfilled", value: "read" });
  expect(sessions).toMatchObject([{ released: 1 }]);
});
