import { expect, test } from "vitest";
import {
  eventsOf,
  get,
  hour,
  openWorldForEach,
  send,
  workspace,
  world,
} from "../../../test/world-for-each.ts";
import { answerAll } from "../../testing/index.ts";

openWorldForEach();

test("a recipient who was left out says nothing about the attempt, which the others' server accepted", async () => {
  world.mailer.answerWith(answerAll("accepted", 250, "250 ok"));
  const to = ["ada@example.com", "bob@example.com"];
  const { id } = await send({ to, scheduledAt: world.clock.now() + 1_000 });
  await world.posthorn.suppressions.create({ email: "ada@example.com" }, workspace.asOwner);
  world.clock.advance(1_000);
  await world.posthorn.drain();
  const { status, attempts, timeline } = await get(id);
  expect([status, attempts[0]?.reply]).toEqual(["sent", "250 ok"]);
  expect(timeline.map(({ message }) => message)).toEqual([
    expect.stringContaining("Accepted"),
    "Nothing was sent to ada@example.com: suppressed: manual",
    "Attempt 1: accepted through the operator's mail server after 0 ms: 250 ok",
    "Sent: every recipient who is not suppressed was accepted.",
  ]);
});

test("a failed e-mail tells the refusal of its last recipient, though another was left out", async () => {
  world.mailer.answerWith(answerAll("refused", 554, "554 5.7.1 spam"));
  const to = ["ada@example.com", "bob@example.com"];
  await send({ to, scheduledAt: world.clock.now() + 1_000 });
  await world.posthorn.suppressions.create({ email: "ada@example.com" }, workspace.asOwner);
  world.clock.advance(1_000);
  await world.posthorn.drain();
  expect(await eventsOf("email.failed")).toMatchObject([{ reply: "554 5.7.1 spam" }]);
});

test("an e-mail whose last recipient is left out fails with the refusal of another", async () => {
  const [later, refused] = [
    answerAll("deferred", 450, "450 later"),
    answerAll("refused", 554, "554 5.7.1 spam"),
  ];
  world.mailer.answerWith((message) => {
    const [ada] = later(message).recipients;
    const [, bob] = refused(message).recipients;
    return { recipients: [ada, bob].flatMap((one) => one ?? []), inDoubt: false };
  });
  await send({ to: ["ada@example.com", "bob@example.com"] });
  await world.posthorn.drain();
  await world.posthorn.suppressions.create({ email: "ada@example.com" }, workspace.asOwner);
  world.clock.advance(hour);
  await world.posthorn.drain();
  expect(await eventsOf("email.failed")).toMatchObject([{ reply: "554 5.7.1 spam" }]);
});
