import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import type { Storage } from "../../ports/storage.ts";
import { createWorld } from "../../testing/index.ts";
import { useCases } from "../../use-cases.ts";
import { createItemPause } from "./create-item-pause.ts";

/** Counts turns of the event loop from now on, as long as `counts` returns true. */
function countTurns(counts: () => boolean = () => true): () => number {
  let turns = 0;
  let running = true;
  const turn = (): void => {
    if (counts()) turns += 1;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  onTestFinished(() => {
    running = false;
  });
  return () => turns;
}

const count = 2_000;
const recipients = Array.from({ length: count }, (_, index) => ({ to: `p${index}@example.com` }));
const mail = { subject: "Hi", text: "Hello", recipients };

async function openWorld() {
  const open = await openTestSqlite();
  let isOpen = false;
  const storage: Storage = {
    ...open,
    transaction: (work) =>
      open.transaction(async (within) => {
        isOpen = true;
        try {
          return await work(within);
        } finally {
          isOpen = false;
        }
      }),
  };
  const world = await createWorld(storage);
  onTestFinished(() => world.close());
  return { world, isInTransaction: () => isOpen };
}

// platform.md P2, trap 2
test("preparing a batch yields every 200 e-mails, however quick it is", async () => {
  vi.spyOn(performance, "now").mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
  const { world, isInTransaction } = await openWorld();
  const { id: workspaceId } = await world.addWorkspace();
  const turns = countTurns(() => !isInTransaction());
  await world.posthorn.emails.sendBatch(mail, { workspaceId });
  // Reading, checking and making submissions each go through all items.
  expect(turns()).toBeGreaterThanOrEqual((3 * count) / 200);
});

test("yields sooner if the work takes long", async () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  let pauses = 0;
  const yieldThread = async () => {
    pauses += 1;
  };
  const pause = createItemPause({ pause: yieldThread, yieldThread }, {});
  await pause();
  for (let step = 0; step < 10; step += 1) {
    now += 10;
    await pause();
  }
  expect(pauses).toBe(1 + 5);
});

test("a dry run ends once its caller has left, a send goes on", async () => {
  const { world } = await openWorld();
  const { id: workspaceId } = await world.addWorkspace();
  let asked = 0;
  const hasLeft = () => {
    asked += 1;
    return asked > 2;
  };
  const caller = { kind: "operator", name: "host" } as const;
  const call = { caller, client: { ip: "", userAgent: "" }, workspaceId, hasLeft };
  await expect(world.posthorn.execute(useCases.emails.dryRunSendBatch, mail, call)).rejects.toThrow(
    "The caller has left.",
  );
  expect(asked).toBe(3);
  const { emails } = await world.posthorn.execute(useCases.emails.sendBatch, mail, call);
  expect(emails).toHaveLength(count);
});

test("recording a batch yields within its one transaction", async () => {
  let now = 0;
  const { world, isInTransaction } = await openWorld();
  const { id: workspaceId } = await world.addWorkspace();
  // The clock advances by more than a batch's time slice between any two statements.
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 25;
    return now;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const turns = countTurns(isInTransaction);
  const { emails } = await world.posthorn.emails.sendBatch(mail, { workspaceId });
  expect(emails).toHaveLength(count);
  // Each slice of 256 e-mails has statements for e-mails, recipients, payloads, the queue and events.
  expect(turns()).toBeGreaterThanOrEqual((5 * count) / 256);
  expect((await world.posthorn.emails.list({}, { workspaceId })).total).toBe(count);
});

test("in a host's transaction no other call runs in between", async () => {
  const { default: Sqlite } = await import("better-sqlite3");
  const database = new Sqlite(":memory:");
  database.pragma("foreign_keys = on");
  database.pragma("synchronous = full");
  const world = await createWorld(await createSqliteStorage({ database }));
  onTestFinished(async () => {
    await world.close();
    database.close();
  });
  const { id: workspaceId } = await world.addWorkspace();
  await world.posthorn.templates.create({ name: "t", subject: "s", text: "{{n}}" }, { workspaceId });
  database.exec("begin immediate");
  const turns = countTurns();
  const shared = { template: "t", templateData: { n: 1 }, recipients: recipients.slice(0, 500) };
  await world.posthorn.emails.sendBatch(shared, { workspaceId, transaction: database });
  const during = turns();
  database.exec("rollback");
  expect(during).toBe(0);
  expect((await world.posthorn.emails.list({}, { workspaceId })).total).toBe(0);
});
