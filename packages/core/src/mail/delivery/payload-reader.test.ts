import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { expect, onTestFinished, test, vi } from "vitest";
import type { MailMessage } from "../../ports/mailer.ts";
import { acceptAll, createMemoryMailer, createWorld } from "../../testing/index.ts";

const MiB = 1024 * 1024;
const count = 200;
const value = "x".repeat(250_000);

test("large e-mails that fall due together are read in pieces, and take no more memory than there is room for", async () => {
  const mailer = createMemoryMailer({ concurrency: count });
  const world = await createWorld(await createSqliteStorage({ filename: ":memory:" }), {
    mailer,
    worker: { concurrency: count },
  });
  onTestFinished(() => world.close());
  const { id: workspaceId } = await world.addWorkspace();
  await world.posthorn.templates.create({ name: "big", subject: "s", text: "{{short}}" }, { workspaceId });
  const scheduledAt = new Date(world.clock.now() + 60_000).toISOString();
  const input = {
    template: "big",
    to: ["ada@example.com"],
    templateData: { short: "x", value },
    scheduledAt,
  };
  await Promise.all(
    Array.from({ length: count }, () => world.posthorn.emails.sendTemplate(input, { workspaceId })),
  );

  const { emailQueue } = world.storage;
  const { payloads } = emailQueue;
  const pieces: number[] = [];
  let read = 0;
  emailQueue.payloads = (leases) => {
    pieces.push(leases.length);
    read += leases.length;
    return payloads(leases);
  };
  let ended = 0;
  let most = 0;
  const open: (() => void)[] = [];
  mailer.answerWith(async (message: MailMessage) => {
    await new Promise<void>((resolve) => open.push(resolve));
    most = Math.max(most, read - ended);
    ended += 1;
    return acceptAll(message);
  });
  world.clock.advance(60_000);
  world.posthorn.start();
  // Nothing is answered before no more is begun.
  await vi.waitFor(() => expect(open.length).toBe(Math.floor((32 * MiB) / 250_100)), 10_000);
  const answering = setInterval(() => {
    for (const answer of open.splice(0, 20)) answer();
  }, 0);
  await vi.waitFor(() => expect(mailer.inbox.all()).toHaveLength(count), 20_000);
  clearInterval(answering);
  await world.posthorn.stop();
  expect(Math.max(...pieces) * 250_000).toBeLessThanOrEqual(MiB);
  expect(most * 250_000).toBeLessThanOrEqual(32 * MiB);
  expect(new Set(mailer.inbox.all().map(({ emailId }) => emailId)).size).toBe(count);
});
