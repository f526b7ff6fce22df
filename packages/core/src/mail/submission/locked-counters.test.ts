import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld } from "../../testing/index.ts";

/** A shop and a neighbour, and a batch of 300 of the shop's whose transaction waits until `write` is called. */
async function openWorld({ hasRoom }: { hasRoom: boolean }) {
  const storage = await openTestSqlite();
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isHeld = false;
  const world = await createWorld({
    ...storage,
    usage: { ...storage.usage, setAside: async () => hasRoom },
    async transaction(work) {
      if (isHeld) {
        isHeld = false;
        begun.resolve();
        await gate.promise;
      }
      return storage.transaction(work);
    },
  });
  onTestFinished(() => world.close());
  const { posthorn } = world;
  const [shop, neighbour] = [await world.addWorkspace(), await world.addWorkspace()];
  const plan = await posthorn.plans.create({ name: "Limited", dailyRateLimit: 5_000 });
  for (const { id } of [shop, neighbour])
    await posthorn.plans.assignToWorkspace({ workspaceId: id, planId: plan.id });

  const order: string[] = [];
  const note = (name: string, done: Promise<unknown>) => done.then(() => order.push(name));
  const send = (name: string, { id }: { id: number }) =>
    note(
      name,
      posthorn.emails.send({ subject: name, text: name, to: ["ada@example.com"] }, { workspaceId: id }),
    );
  const recipients = Array.from({ length: 300 }, (_, index) => ({ to: `u${index}@example.com` }));
  isHeld = true;
  const mail = { subject: "News", text: "News", recipients };
  const batch = note("batch", posthorn.emails.sendBatch(mail, { workspaceId: shop.id }));
  await begun.promise;
  return { shop, neighbour, order, send, batch, write: () => gate.resolve() };
}

test("sends wait behind their workspace's large batch that locks its counters, and hold up no other workspace", async () => {
  const { shop, neighbour, order, send, batch, write } = await openWorld({ hasRoom: false });
  const own = send("own", shop);
  await send("neighbour", neighbour);
  await send("neighbour again", neighbour);
  expect(order).toEqual(["neighbour", "neighbour again"]);
  write();
  await Promise.all([own, batch]);
  expect(order).toEqual(["neighbour", "neighbour again", "batch", "own"]);
  await send("own again", shop);
});

test("sends don't wait behind their workspace's large batch for which room is set aside", async () => {
  const { shop, order, send, batch, write } = await openWorld({ hasRoom: true });
  await send("own", shop);
  expect(order).toEqual(["own"]);
  write();
  await batch;
});
