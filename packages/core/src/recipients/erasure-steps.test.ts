import { afterEach, expect, test, vi } from "vitest";
import { openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import type { Erasure, Repositories } from "../ports/storage.ts";

openWorldForEach();
afterEach(() => {
  vi.restoreAllMocks();
});

const ada = "ada@people.example";

/** Records the progress that each step of erasures stores. */
function watchSteps(): Erasure[] {
  const steps: Erasure[] = [];
  const { storage } = world;
  const transaction = storage.transaction.bind(storage);
  const watched = (within: Repositories): Repositories => {
    const { erasures } = within;
    const note: typeof erasures.note = async (erasure, dueAt) => {
      steps.push(erasure);
      await erasures.note(erasure, dueAt);
    };
    return Object.create(within, { erasures: { value: { ...erasures, note } } }) as Repositories;
  };
  vi.spyOn(storage, "transaction").mockImplementation((work) =>
    transaction((within) => work(watched(within))),
  );
  return steps;
}

const erase = async () => {
  const steps = watchSteps();
  await world.posthorn.recipients.erase({ email: ada }, workspace.asOwner);
  await world.posthorn.drain();
  return steps;
};

test("an erasure changes campaigns in steps of their own, so that their feeders wait for no e-mails", async () => {
  const { campaigns, emails } = world.posthorn;
  const draft = { subject: "Hi", text: "Hello", from: "shop@shop.example" };
  for (let made = 0; made < 21; made += 1)
    await campaigns.create(
      { ...draft, name: `${made}`, recipients: [{ email: ada }], unsubscribe: false },
      workspace.asOwner,
    );
  await emails.send({ ...draft, to: [ada] }, { workspaceId: workspace.id });
  const steps = await erase();
  expect(steps.slice(0, 3).map((step) => [step.campaigns, step.emails])).toEqual([
    [20, 0],
    [21, 0],
    [21, 1],
  ]);
  const { items } = await world.posthorn.auditLog.listForWorkspace({ size: 1 }, workspace.asOwner);
  expect(items[0]).toMatchObject({ type: "recipient.erased", metadata: { campaigns: 21, emails: 1 } });
});

test("an erasure searches several pieces of a log in one step while it finds nothing, for a short time", async () => {
  const now = world.clock.now();
  const entry = { workspaceId: workspace.id, scope: "*", origin: "manual", emailId: undefined } as const;
  const entries = Array.from({ length: 5_000 }, (_, n) => {
    const address = `${n}@others.example`;
    const reason = n === 4_500 ? `asked by ${ada}` : "";
    return {
      ...{ ...entry, address, addressKey: address, reason },
      ...{ createdBy: undefined, createdAt: now, expiresAt: undefined },
    };
  });
  await world.storage.suppressions.put(entries, now);
  // As if no time passed.
  vi.spyOn(performance, "now").mockReturnValue(0);
  const stages = (await erase()).map(({ stage }) => stage);
  expect(stages.filter((stage) => stage === "suppressions")).toHaveLength(2);
  const { items } = await world.storage.suppressions.list(entry, { offset: 0, limit: 5_000 }, now);
  expect(items.filter(({ reason }) => reason !== "")).toMatchObject([{ address: "4500@others.example" }]);
  expect(items.map(({ reason }) => reason).join()).not.toContain(ada);
});

test("the mail that waits for a person is withdrawn before the logs are searched for one who was erased before", async () => {
  const scheduledAt = new Date(world.clock.now() + 60_000).toISOString();
  for (const to of [ada, "bob@people.example"]) {
    const email = { subject: "Hi", text: "Hello", from: "shop@shop.example", scheduledAt };
    await world.posthorn.emails.send({ ...email, to: [to] }, { workspaceId: workspace.id });
    await world.posthorn.recipients.erase({ email: to }, workspace.asOwner);
  }
  await world.posthorn.drain();
  const { events } = await world.storage.events.listAfter(0, { workspaceId: workspace.id }, 100);
  const types = ["email.cancelled", "recipient.erased"];
  expect(events.map(({ type }) => type).filter((type) => types.includes(type))).toEqual([
    ...["email.cancelled", "email.cancelled"],
    ...["recipient.erased", "recipient.erased"],
  ]);
});

test("a person with many e-mails does not keep another's from being withdrawn", async () => {
  const scheduledAt = new Date(world.clock.now() + 60_000).toISOString();
  const bob = "bob@people.example";
  const send = (to: string) => {
    const email = { subject: "Hi", text: "Hello", from: "shop@shop.example", scheduledAt };
    return world.posthorn.emails.send({ ...email, to: [to] }, { workspaceId: workspace.id });
  };
  for (let sent = 0; sent < 21; sent += 1) await send(ada);
  await send(bob);
  for (const email of [ada, bob]) await world.posthorn.recipients.erase({ email }, workspace.asOwner);
  world.clock.advance(1);
  const steps = watchSteps();
  let ms = 0;
  // Each look at the clock is a turn later, until both had one.
  vi.spyOn(performance, "now").mockImplementation(() => {
    if (ms < 15_000) ms += 1_001;
    return ms;
  });
  await world.posthorn.drain();
  const withdrawn = steps.filter(({ emails }) => emails > 0).map(({ address, emails }) => [address, emails]);
  expect(withdrawn.slice(0, 3)).toEqual([
    [ada, 20],
    [bob, 1],
    [ada, 21],
  ]);
});
