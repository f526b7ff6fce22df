import { createSqliteStorage } from "@posthorn/storage-sqlite";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld } from "../testing/world.ts";

let database: Sqlite.Database;
const open = async () => createWorld(await createSqliteStorage({ database }));
let world: Awaited<ReturnType<typeof open>>;
let call: { workspaceId: number };
beforeEach(async () => {
  database = new Sqlite(":memory:");
  world = await open();
  call = { workspaceId: (await world.addWorkspace()).id };
});
afterEach(async () => {
  await world.close();
  database.close();
});

/** Does the same twice in a transaction of the host's, once rolled back, once committed. */
async function twice(work: () => Promise<unknown>, seen: () => Promise<unknown>): Promise<unknown[]> {
  const found = [];
  for (const end of ["rollback", "commit"]) {
    database.exec("begin");
    await work();
    database.exec(end);
    found.push(await seen());
  }
  return found;
}
const hosted = () => world.posthorn.within(database);
const events = async (type: "suppression.imported" | "campaign.updated") =>
  (await world.storage.events.list({ type, workspaceId: "all" }, { offset: 0, limit: 9 })).total;

test("pieces of imports and their events are written in the host's transaction", async () => {
  const { suppressions, campaigns } = world.posthorn;
  const { id: campaignId } = await campaigns.create({ name: "Spring", subject: "S", text: "T" }, call);
  const content = Buffer.from(
    `email\n${Array.from({ length: 1_500 }, (_, n) => `p${n}@example.com`).join("\n")}`,
  );
  const counts = async () => [
    (await suppressions.list({}, call)).total,
    await events("suppression.imported"),
  ];
  expect(await twice(() => hosted().suppressions.import({ content }, call), counts)).toEqual([
    [0, 0],
    [1_500, 1],
  ]);
  const limits = { limit: 10_000, maxBytes: 1e9 };
  const listed = async () => [
    (await world.storage.campaigns.recipientsAfter(campaignId, 0, limits)).length,
    await events("campaign.updated"),
  ];
  const put = () => hosted().campaigns.importRecipients({ campaignId, content }, call);
  expect(await twice(put, listed)).toEqual([
    [0, 0],
    [1_500, 1],
  ]);
});

test("e-mails of a paused queue are dropped in the host's transaction", async () => {
  const admin = { as: await world.addUser({ admin: true, email: "admin@example.com" }) };
  const { id: emailId } = await world.posthorn.emails.send(
    { subject: "S", text: "T", to: ["a@example.com"] },
    call,
  );
  await world.posthorn.queue.pause({ reason: "restored" }, admin);
  const dropDueBefore = new Date(world.clock.now() + 60_000).toISOString();
  const seen = async () => {
    const { status } = await world.posthorn.emails.get({ emailId }, { ...admin, workspaceId: "all" });
    return [status, (await world.posthorn.queue.status({}, admin)).paused === undefined];
  };
  const resumed = () => hosted().queue.resume({ dropDueBefore }, admin);
  expect(await twice(resumed, seen)).toEqual([
    ["queued", false],
    ["cancelled", true],
  ]);
});

test("the content of an e-mail can be read in the host's transaction", async () => {
  const template = { name: "greeting", subject: "Hi", html: "<p>Dear {{name}}</p>" };
  database.exec("begin");
  await hosted().templates.create(template, call);
  const order = { template: "greeting", to: ["a@example.com"], templateData: { name: "Ada" } };
  const { id: emailId } = await hosted().emails.sendTemplate(order, call);
  expect((await hosted().emails.getContent({ emailId }, call)).html).toContain("Dear Ada");
  database.exec("commit");
});
