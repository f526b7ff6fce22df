import { answerAll, createWorld } from "@posthorn/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { judgeRest } from "./judge-rest.ts";

test("reports what remains: nothing, paused e-mails, and e-mails that the mail server refuses", async () => {
  const world = await createWorld(await openTestSqlite());
  onTestFinished(() => world.close());
  const { posthorn } = world;
  const { id: workspaceId } = await world.addWorkspace();
  const told: string[] = [];
  const tell = (text: string): void => void told.push(text);
  const judge = () =>
    judgeRest(
      { output: { done: tell, warn: tell } as CommandContext["output"] },
      posthorn,
      "0 attempts made",
    );

  await judge();
  expect(told.pop()).toBe("0 attempts made: nothing more is due.");

  await posthorn.emails.send({ to: ["ada@example.com"], subject: "s", text: "t" }, { workspaceId });
  const { emailQueue } = world.storage;
  const wants = [{ route: `w:${workspaceId}`, lane: 1 as const, since: 0, limit: 1 }];
  const order = { wants, now: world.clock.now(), leaseMs: 30_000, worker: "other", maxBytes: 1e9 };
  const claimed = await emailQueue.claim(order);
  await judge();
  expect(told.pop()).toBe("0 attempts made: nothing more is due, and another worker has 1 e-mail in hand.");
  await emailQueue.release(claimed.map(({ lease }) => lease));
  await posthorn.queue.pause({});
  await judge();
  expect(told.pop()).toContain("1 e-mail that is due waits, because delivery is paused");
  await posthorn.queue.resume({});

  world.mailer.answerWith((message) => ({
    ...answerAll("deferred", 421, "later")(message),
    held: { cause: "unreachable", reason: "could not connect", retryAfterMs: 60_000 },
  }));
  await posthorn.drain();
  await expect(judge()).rejects.toMatchObject({
    failure: "unavailable",
    message: expect.stringContaining("is held for another 60 s: unreachable: could not connect"),
  });
});
