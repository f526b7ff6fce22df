import { answerAll } from "@posthorn/core/testing";
import { expect, test } from "vitest";
import { openLockingWorld } from "../../test/open-locking-world.ts";

const day = 86_400_000;

test("a host's transaction that stays open keeps old e-mails that it tries again or locks, and no others", async () => {
  const { world, schema, openHost } = await openLockingWorld(undefined, { lockMs: 50 });
  const { posthorn, clock } = world;
  const as = { as: await world.addUser({ admin: true }) };
  const plan = await posthorn.plans.create({ name: "Short", emailLogRetentionDays: 7 }, as);
  const add = async (addresses: string[]) => {
    const { id: workspaceId } = await world.addWorkspace();
    await posthorn.plans.assignToWorkspace({ workspaceId, planId: plan.id }, as);
    const send = (to: string) =>
      posthorn.emails.send({ subject: "Hi", text: "Hello", to: [to] }, { workspaceId });
    const ids = [];
    for (const to of addresses) ids.push((await send(to)).id);
    const left = async () => (await posthorn.emails.list({}, { workspaceId })).items.map(({ to }) => to[0]);
    return { workspaceId, ids, left };
  };
  world.mailer.answerWith(answerAll("refused", 550, "550 5.7.1 not now"));
  const shop = await add(["ada@example.com", "bob@example.com"]);
  const locked = await add(["ada@example.com"]);
  const other = await add(["ada@example.com"]);
  await posthorn.drain();
  clock.advance(8 * day);
  const host = await openHost();
  await posthorn.emails.retry(
    { emailId: shop.ids[0] ?? "" },
    { workspaceId: shop.workspaceId, transaction: host },
  );
  await host.query(`select 1 from ${schema}.emails where workspace_id = ${locked.workspaceId} for update`);
  await expect(posthorn.prune()).rejects.toMatchObject({ isLocked: true });
  expect([await shop.left(), await locked.left(), await other.left()]).toEqual([
    ["ada@example.com"],
    ["ada@example.com"],
    [],
  ]);
  await host.query("rollback");
  await posthorn.prune();
  expect([await shop.left(), await locked.left()]).toEqual([[], []]);
});
