import { createSqliteStorage } from "@posthorn/storage-sqlite";
import Sqlite, { type Database } from "better-sqlite3";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { serviceRoute, workspaceRoute } from "../../mail/rules/routes.ts";
import { acceptAll, createMemoryMailer, createWorld, type World } from "../../testing/index.ts";

const MiB = 1024 * 1024;
const minute = 60_000;
/** Timeout in ms, enough for a busy machine. */
const patience = 60_000;

let database: Database;
let world: World;
beforeEach(() => {
  database = new Sqlite(":memory:");
  database.pragma("foreign_keys = on");
  database.pragma("synchronous = full");
});
afterEach(async () => {
  await world.close();
  database.close();
});

const open = async (concurrency: number) => {
  world = await createWorld(await createSqliteStorage({ database }), {
    mailer: createMemoryMailer({ concurrency }),
  });
};

/** Copies the only e-mail until there are `count`, in the given lane. Creating them by calls would take seconds. */
function multiply(count: number, lane: number): void {
  const first = database.prepare("select id from posthorn_emails").pluck().get();
  for (const [table, key] of [
    ["emails", "id"],
    ["email_recipients", "email_id"],
    ["email_payloads", "email_id"],
    ["email_queue", "email_id"],
  ]) {
    const columns = database.prepare(`select name from pragma_table_info('posthorn_${table}')`).pluck().all();
    const values = columns.map((name) => {
      if (name === key) return `${first} + n`;
      return name === "uuid" ? "printf('019b76da-a800-7000-8000-%012x', n)" : name;
    });
    database.exec(`
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count - 1})
      insert into posthorn_${table} (${columns}) select ${values} from posthorn_${table}, numbers where ${key} = ${first}
    `);
  }
  database.prepare("update posthorn_email_queue set lane = ?").run(lane);
}

/** A mailer that responds when the test tells it to. */
function answerOnCommand(): { begun: string[]; answer(count: number): void } {
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  world.mailer.answerWith(async (message) => {
    begun.push(message.subject);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return acceptAll(message);
  });
  return {
    begun,
    answer(count) {
      for (const go of waiting.splice(0, count)) go();
    },
  };
}

const send = (workspaceId: number, subject: string) =>
  world.posthorn.emails.send({ subject, text: "x", to: ["ada@example.com"] }, { workspaceId });

test("urgent e-mails, then those of others, get the next free slots, however many a workspace has waiting", async () => {
  await open(4);
  const [busy, quiet] = [await world.addWorkspace(), await world.addWorkspace()];
  await send(busy.id, "low");
  multiply(20_000, 2);
  const { begun, answer } = answerOnCommand();
  const lows = ["low", "low", "low", "low"];
  world.posthorn.start();
  await vi.waitFor(() => expect(begun).toEqual(lows), patience);
  await send(quiet.id, "usual");
  await world.posthorn.accounts.forgotPassword({ email: quiet.owner.email });
  const inHand = async (route: string) =>
    (await world.storage.emailQueue.routes(world.clock.now(), 9)).find((one) => one.route === route)?.leased;
  await vi.waitFor(async () => {
    expect(await inHand(workspaceRoute(quiet.id))).toBe(1);
    expect(await inHand(serviceRoute)).toBe(1);
  }, patience);
  answer(1);
  await vi.waitFor(() => expect(begun.slice(4)).toEqual([expect.stringContaining("password")]), patience);
  answer(1);
  await vi.waitFor(() => expect(begun.slice(5)).toEqual(["usual"]), patience);
  const stopped = world.posthorn.stop();
  answer(4);
  await stopped;
  expect((await world.posthorn.queueStatus()).due).toBe(20_000 - 4);
});

test("large e-mails that are due together are read in pieces, within the memory limit", async () => {
  const count = 200;
  await open(count);
  const { id: workspaceId } = await world.addWorkspace();
  const value = "x".repeat(250_000);
  await world.posthorn.templates.create({ name: "big", subject: "s", text: "{{short}}" }, { workspaceId });
  const scheduledAt = new Date(world.clock.now() + minute).toISOString();
  await world.posthorn.emails.sendTemplate(
    { template: "big", to: ["ada@example.com"], templateData: { short: "x", value }, scheduledAt },
    { workspaceId },
  );
  multiply(count, 1);

  const { emailQueue } = world.storage;
  const { payloads } = emailQueue;
  const pieces: number[] = [];
  let read = 0;
  emailQueue.payloads = (leases) => {
    pieces.push(leases.length);
    read += leases.length;
    return payloads(leases);
  };
  const { begun, answer } = answerOnCommand();
  // Of 32 MiB, one workspace has seven eighths.
  const fits = Math.floor((28 * MiB) / 250_100);
  world.clock.advance(minute);
  world.posthorn.start();
  await vi.waitFor(() => expect(begun).toHaveLength(fits), patience);
  let most = read;
  const answering = setInterval(() => {
    most = Math.max(most, read - world.mailer.inbox.all().length);
    answer(20);
  }, 1);
  await vi.waitFor(() => expect(world.mailer.inbox.all()).toHaveLength(count), patience);
  clearInterval(answering);
  await world.posthorn.stop();
  expect(Math.max(...pieces) * 250_000).toBeLessThanOrEqual(MiB);
  expect(most).toBe(fits);
  expect(new Set(world.mailer.inbox.all().map(({ emailId }) => emailId)).size).toBe(count);
});

test("no workspace hides the e-mails of others by the number of its routes", async () => {
  await open(4);
  const [many, quiet] = [await world.addWorkspace(), await world.addWorkspace()];
  await send(many.id, "stalled");
  multiply(600, 1);
  database
    .prepare(
      "update posthorn_email_queue set route = 's:' || ? || ':' || email_id || '-0', due_at = due_at - 5000",
    )
    .run(many.id);
  const { begun, answer } = answerOnCommand();
  world.posthorn.start();
  await vi.waitFor(() => expect(begun).not.toEqual([]), patience);
  await send(quiet.id, "usual");
  await world.posthorn.accounts.forgotPassword({ email: quiet.owner.email });
  await vi.waitFor(() => {
    expect(begun).toContain("usual");
    expect(begun).toContainEqual(expect.stringContaining("password"));
  }, patience);
  const stopped = world.posthorn.stop();
  answer(4);
  await stopped;
});
