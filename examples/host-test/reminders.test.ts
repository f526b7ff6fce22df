import { answerAll, createWorld, type TestWorkspace, type World } from "@posthorn/core/testing";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { remindOf } from "./reminders.ts";

// How a host tests the e-mails that it sends: no mail server, no waiting, and a clock that the test sets.
let world: World;
let workspace: TestWorkspace;

beforeEach(async () => {
  // A real database in memory, a mailer and a network in memory, and a clock that starts at 2030-01-01T12:00:00Z.
  world = await createWorld(await createSqliteStorage({ filename: ":memory:" }));
  workspace = await world.addWorkspace();
});
afterEach(() => world.close());

const remind = () =>
  remindOf(
    { at: new Date("2030-01-05T09:00:00Z"), with: "Dr Who", address: "ada@example.com" },
    { posthorn: world.posthorn, workspaceId: workspace.id },
  );

test("sends a reminder the day before, and not earlier", async () => {
  await remind();
  await world.posthorn.drain();
  expect(world.mailer.inbox.all()).toEqual([]);

  // A day passes at once.
  world.clock.set("2030-01-04T09:00:00Z");
  expect(await world.posthorn.drain()).toBe(1);
  const mail = await world.mailer.inbox.waitFor({ to: "ada@example.com", subject: "Tomorrow: Dr Who" });
  expect(mail.text).toContain("2030-01-05T09:00:00.000Z");
});

test("the host handles a refused e-mail", async () => {
  const failed: unknown[] = [];
  world.posthorn.on("email.failed", ({ metadata }) => failed.push(metadata.emailId));
  world.mailer.answerWith(answerAll("refused", 550, "550 no such user"));

  const { emailId } = await remind();
  world.clock.set("2030-01-04T09:00:00Z");
  await world.posthorn.drain();
  expect(failed).toEqual([emailId]);
  const { status, recipients } = await world.posthorn.emails.get({ emailId }, { workspaceId: workspace.id });
  expect(status).toBe("failed");
  expect(recipients).toMatchObject([{ address: "ada@example.com", lastReply: "550 no such user" }]);
});
